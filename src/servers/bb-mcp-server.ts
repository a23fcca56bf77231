import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, OLDEST, type Revision } from '../kernel/index.ts'
import { greeting } from '../modules/greeting/index.ts'
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
    debug: { kind: 'switch', description: 'let errors carry stacks' },
  },
  http: {},
  create: async ({ settings, lists, modules, budgets, unscoped, shown, nodes }) =>
    defineServer({
      name: 'bb-mcp-server',
      version: '0.1.0',
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      modules: [...modules, greeting(), ...(await Promise.all((lists['module'] ?? []).map(loadModule)))],
      revisions: [VERSION_1],
      dialect: DIALECT,
      debug: settings['debug'] !== undefined,
    }),
}
