import { defineModule } from '../authoring/define.ts'
import { isObject, OLDEST, type Result, type Revision } from '../kernel/index.ts'
import { changing } from './changing.ts'

const INVALID_REQUEST = { code: -32600, message: 'Invalid Request' }

/** The protocol of the server's own document: three methods, and codes of its own. */
export const VERSION_1: Revision = {
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

/** Tools that come and go are declared, in the document's word for it. */
export const CHANGING = defineModule({
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
