import { defineModule } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, isObject, OLDEST, type Result, type Revision } from '../kernel/index.ts'
import { greeting } from '../modules/greeting/index.ts'
import { stats } from '../modules/stats/index.ts'
import { changing } from './changing.ts'
import { loadModule } from './load-module.ts'
import type { ReadyServer } from './ready-server.ts'

const INVALID_REQUEST = { code: -32600, message: 'Invalid Request' }

/** The protocol of the server's own document: three methods, and codes of its own. */
const VERSION_1: Revision = {
  ...OLDEST,
  id: '1.0',
  requests: ['initialize', 'tools/list', 'tools/call'],
  questions: [],
  declaring: 'flags',
  capabilities: ['tools', 'dynamicToolRegistration'],
  failedTools: 'fault',
  notices: 'refused',
  arguments: 'required',
  codes: {
    parseError: { code: -32700, message: 'Parse error' },
    invalidRequest: INVALID_REQUEST,
    alreadyInitialized: INVALID_REQUEST,
    methodNotFound: { code: -32601, message: 'Method not found' },
    invalidParams: { code: -32602, message: 'Invalid params' },
    internalError: { code: -32603, message: 'Internal error' },
    unknownTool: { code: -32000, message: 'Tool not found' },
    failedTool: { code: -32001, message: 'Tool execution failed' },
    invalidArguments: { code: -32002, message: 'Invalid tool params' },
    notInitialized: { code: -32003, message: 'Server not initialized' },
  },
}

const DIALECT: Partial<Dialect> = { ping: 'after-initialize', ids: 'numbers' }

/** A list may be another with the next change, of which not every client asks to hear. */
const NEVER_KEPT = { ttlMs: 0, cacheScope: 'private' } as const

/** Tools that come and go are declared, in the document's word for it. */
const CHANGING = defineModule({
  name: 'changing',
  wraps: 'server',
  middleware: [
    (call, next) => (call.method === 'initialize' ? changing(next(call), declareChanges) : next(call)),
  ],
})

function declareChanges(result: Result): Result {
  const { capabilities } = result
  if (!isObject(capabilities) || !('dynamicToolRegistration' in capabilities)) return result
  return { ...result, capabilities: { ...capabilities, dynamicToolRegistration: true } }
}

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
      placeholder: 'BYTES',
      description: 'how large such a file becomes; the last five are kept',
      fallback: String(10 * 1024 * 1024),
    },
    debug: { kind: 'switch', description: 'let errors carry stacks' },
  },
  ofFiles: true,
  http: {},
  create: async ({ settings, lists, modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'bb-mcp-server',
      version: '0.1.0',
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [
        ...modules,
        stats(),
        greeting(),
        ...(await Promise.all((lists['module'] ?? []).map(loadModule))),
        ...(settings['watch'] === undefined ? [] : [CHANGING]),
      ],
      ...(settings['watch'] !== undefined && { listCache: NEVER_KEPT }),
      revisions: [VERSION_1],
      dialect: DIALECT,
      debug: settings['debug'] !== undefined,
    }),
}
