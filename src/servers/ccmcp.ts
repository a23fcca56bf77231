import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, VERSION } from '../kernel/index.ts'
import { basics } from '../modules/basics/index.ts'
import { files } from '../modules/files/index.ts'
import { introspection } from '../modules/introspection/index.ts'
import { journal } from '../modules/journal/index.ts'
import { templates } from '../modules/templates/index.ts'
import { writing } from '../modules/writing/index.ts'
import { checkKeptFile } from './path-setting.ts'
import type { ReadyServer } from './ready-server.ts'
import { checkRoots, rootSettings } from './root-setting.ts'

const DIALECT: Partial<Dialect> = {
  codes: { notInitialized: -32002 },
  ping: 'after-initialize',
  unknownVersion: 'refuse',
  reopening: 'refused',
  answers: 'as-called',
  badArguments: 'tool-result',
}

/** Files, prompts, and tools made at run time. */
export const ccmcp: ReadyServer = {
  name: 'ccmcp',
  summary: 'files of your folders, prompts, and tools made at run time',
  transport: 'stdio',
  logLevel: 'debug',
  settings: {
    ...rootSettings('CCMCP_ROOT'),
    full: {
      kind: 'switch',
      environment: 'CCMCP_FULL',
      description:
        'every file tool, the client’s roots, and files as resources; without it, what its document has',
    },
    readonly: { kind: 'switch', environment: 'CCMCP_READONLY', description: 'leaves out what changes files' },
    tools: {
      environment: 'CCMCP_TOOLS',
      placeholder: 'FILE',
      description: 'where tools made by register_tool are kept; unless given, they end with the process',
    },
  },
  http: {},
  create: (context) => {
    const { settings, sources, modules, budgets, unscoped, shown, nodes } = context
    const tools = settings['tools'] && checkKeptFile('tools', settings['tools'])
    return defineServer({
      name: 'ccmcp',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [
        ...modules,
        introspection(),
        journal(),
        basics(),
        files({
          root: checkRoots(context),
          chosenBy: '--root or CCMCP_ROOT',
          readonly: settings['readonly'] !== undefined,
          extent: settings['full'] === undefined ? 'basic' : 'full',
          clientChooses: sources['root'] === 'root',
        }),
        templates(tools === undefined ? {} : { file: tools }),
        writing(),
      ],
      dialect: DIALECT,
      logLevel: 'debug',
    })
  },
}
