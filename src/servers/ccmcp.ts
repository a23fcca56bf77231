import { defineServer } from '../authoring/define-server.ts'
import type { Dialect } from '../kernel/index.ts'
import { basics } from '../modules/basics/index.ts'
import { files } from '../modules/files/index.ts'
import { introspection } from '../modules/introspection/index.ts'
import { journal } from '../modules/journal/index.ts'
import { templates } from '../modules/templates/index.ts'
import { writing } from '../modules/writing/index.ts'
import type { ReadyServer } from './ready-server.ts'
import { checkRoot, rootSetting } from './root-setting.ts'

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
  summary: 'files of one folder, prompts, and tools made at run time',
  transport: 'stdio',
  logLevel: 'debug',
  settings: { root: rootSetting('CCMCP_ROOT') },
  http: {},
  create: ({ settings, modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'ccmcp',
      version: '0.1.0',
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [
        ...modules,
        introspection(),
        journal(),
        basics(),
        files({ root: checkRoot(settings['root']), chosenBy: '--root or CCMCP_ROOT' }),
        templates(),
        writing(),
      ],
      dialect: DIALECT,
      logLevel: 'debug',
    }),
}
