import type { Module } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, VERSION } from '../kernel/index.ts'
import { greeting } from '../modules/greeting/index.ts'
import { stats } from '../modules/stats/index.ts'
import { tellingOfNoEnd } from '../process/no-end.ts'
import { loadModule } from './load-module.ts'
import { NEVER_KEPT, type ReadyServer, type ServerContext } from './ready-server.ts'
import { CHANGING, VERSION_1 } from './version-1.ts'

const DIALECT: Partial<Dialect> = { ping: 'after-initialize', ids: 'numbers' }

/** Tools from files, with telemetry. */
export const bbMcpServer: ReadyServer = {
  name: 'bb-mcp-server',
  summary: 'tools loaded from files, with telemetry',
  transport: 'stdio',
  logLevel: 'debug',
  settings: {
    module: {
      kind: 'many',
      placeholder: 'FILE',
      description: 'a file that exports { name, tools }; may be repeated',
    },
    watch: {
      kind: 'switch',
      description: 'serve modules as they are saved; one that does not load leaves the last good one at work',
    },
    check: {
      placeholder: 'FILE',
      description:
        'look at a module instead of serving: its schemas, descriptions, names, and how scripts call it',
    },
    telemetry: {
      placeholder: 'FILE',
      description: 'a line of JSON for everything that happens; a file that is full goes on as FILE.1',
    },
    'telemetry-size': {
      value: 'number',
      placeholder: 'BYTES',
      description: 'how large such a file becomes; the last five are kept',
      fallback: String(10 * 1024 * 1024),
    },
    debug: { kind: 'switch', description: 'let errors carry stacks' },
  },
  ofFiles: true,
  http: {},
  create: async ({ settings, lists, modules, budgets, unscoped, shown, nodes, note }) =>
    defineServer({
      name: 'bb-mcp-server',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [
        ...modules,
        stats(),
        greeting(),
        ...(await Promise.all((lists['module'] ?? []).map((path) => loadTold(path, note)))),
        ...(settings['watch'] === undefined ? [] : [CHANGING]),
      ],
      ...(settings['watch'] !== undefined && { listCache: NEVER_KEPT }),
      revisions: [VERSION_1],
      dialect: DIALECT,
      debug: settings['debug'] !== undefined,
    }),
}

function loadTold(path: string, note: ServerContext['note']): Promise<Module> {
  return tellingOfNoEnd({ command: 'bb-mcp-server', what: `module ${path}`, note }, () => loadModule(path))
}
