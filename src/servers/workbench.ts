import type { Module } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import type { Server } from '../kernel/index.ts'
import { basics } from '../modules/basics/index.ts'
import { countdown } from '../modules/countdown/index.ts'
import { files } from '../modules/files/index.ts'
import { introspection } from '../modules/introspection/index.ts'
import { journal } from '../modules/journal/index.ts'
import { moon } from '../modules/moon/index.ts'
import { skills } from '../modules/skills/index.ts'
import { openTaskStore, taskList } from '../modules/task-list/index.ts'
import { templates } from '../modules/templates/index.ts'
import { writing } from '../modules/writing/index.ts'
import type { ReadyServer } from './ready-server.ts'
import { checkFolder, checkRoot, rootSetting } from './root-setting.ts'
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
      description: 'a folder of skills to offer; unless given, there are none',
    },
  },
  http: {},
  create: (context) => {
    const { settings, modules, budgets, unscoped, shown, nodes, atStart } = context
    const { url, note } = taskListUrl(context, { otherwise: 'memory:', file: 'beside' })
    const store = openTaskStore(url)
    atStart?.(() => store.get(''))
    const server: Server = defineServer({
      name: 'workbench',
      version: '0.1.0',
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      title: 'Perigee workbench',
      modules: [
        ...modules,
        introspection(),
        journal(),
        basics(),
        countdown(),
        files({ root: checkRoot(settings['root']) }),
        moon(),
        { ...taskList({ store }), close: () => store.close() },
        templates(),
        writing(),
        ...skillsOf(settings['skills'], (message) =>
          server.observe({ kind: 'noted', level: 'warning', message }),
        ),
      ],
    })
    if (note !== undefined) server.observe({ kind: 'noted', level: 'warning', message: note })
    return server
  },
}

/** What is left out of a folder of skills is told when the server starts. */
function skillsOf(root: string | undefined, report: (message: string) => void): readonly Module[] {
  return root === undefined ? [] : [skills({ root: checkFolder('skills', root), report })]
}
