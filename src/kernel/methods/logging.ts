import type { Call } from '../calls/call.ts'
import { checkOneOf } from '../check/params.ts'
import type { Result } from '../jsonrpc/message.ts'
import { LOG_LEVELS } from '../log-level.ts'

export function setLevel(call: Call): Result {
  call.link.logLevel = checkOneOf(call.params, 'level', LOG_LEVELS)
  call.link.unsaved = true
  return {}
}
