import { fileURLToPath } from 'node:url'
import type { Module } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import { mount } from '../authoring/mount.ts'
import { type Server, VERSION } from '../kernel/index.ts'
import { basics } from '../modules/basics/index.ts'
import { countdown } from '../modules/countdown/index.ts'
import { files } from '../modules/files/index.ts'
import { greeting } from '../modules/greeting/index.ts'
import { introspection } from '../modules/introspection/index.ts'
import { journal } from '../modules/journal/index.ts'
import { moon } from '../modules/moon/index.ts'
import { primer } from '../modules/primer/index.ts'
import { skills } from '../modules/skills/index.ts'
import { stats } from '../modules/stats/index.ts'
import { openTaskStore, taskList } from '../modules/task-list/index.ts'
import { templates } from '../modules/templates/index.ts'
import { upstream } from '../modules/upstream/index.ts'
import { writing } from '../modules/writing/index.ts'
import { checkFolder } from './path-setting.ts'
import type { ReadyServer } from './ready-server.ts'
import { checkRoot, rootSetting } from './root-setting.ts'
import { taskListUrl } from './task-list-url.ts'

/** Everything on. */
export const workbench: ReadyServer = {
  name: 'workbench',
  summary: 'every module in one server, over HTTP',
  transport: 'http',
  logLevel: 'warning',
  settings: {
    root: rootSetting('PERIGEE_ROOT'),
    tasks: {
      environment: 'PERIGEE_TASKS',
      placeholder: 'URL',
      description:
        'where its task list is kept, as for bossman; unless given, where --store says, or in memory',
    },
    skills: {
      environment: 'PERIGEE_SKILLS',
      placeholder: 'DIR',
      description: 'a folder of skills to offer; unless given, one that comes with Perigee',
    },
  },
  http: {},
  create: (context) => {
    const { settings, modules, budgets, unscoped, shown, nodes, atStart } = context
    const { url, note } = taskListUrl(context, { otherwise: 'memory:', file: 'beside' })
    const store = openTaskStore(url)
    atStart?.(() => store.get(''))
    const report = (message: string) => server.observe({ kind: 'noted', level: 'warning', message })
    const small = defineServer({ name: 'primer', version: VERSION, modules: [grouped(primer())] })
    const server: Server = defineServer({
      name: 'workbench',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      title: 'Perigee workbench',
      modules: [
        ...modules,
        introspection(),
        stats(),
        journal(),
        ...[
          basics(),
          countdown(),
          files({ root: checkRoot(settings['root']), extent: 'full', chosenBy: '--root or PERIGEE_ROOT' }),
          moon({ almanac: true }),
          { ...taskList({ store }), close: () => store.close() },
          templates(),
          writing(),
          mount('greeting', greeting()),
          skills({ root: checkFolder('skills', settings['skills'] ?? OWN_SKILLS), report }),
        ].map(grouped),
        upstream('primer', { server: small, prefix: 'primer_', scopes: ['primer'] }),
      ],
    })
    if (note !== undefined) server.observe({ kind: 'noted', level: 'warning', message: note })
    return server
  },
}

/** Found from where this is: beside `dist` as beside `src`. */
const OWN_SKILLS = fileURLToPath(new URL('../../templates/skills', import.meta.url))

/** Says of each tool which module it is of, for those who show many of them. */
function grouped(module: Module): Module {
  const tools = module.tools?.map((tool) => ({
    ...tool,
    _meta: { 'perigee/group': module.name, ...tool._meta },
  }))
  return tools === undefined ? module : { ...module, tools }
}
