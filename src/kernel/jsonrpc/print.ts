import { FAULTS } from '../faults.ts'
import type { Outgoing } from './message.ts'

/** Message to text, on one line; a result that is no JSON becomes an error for its id. */
export function print(message: Outgoing): string {
  try {
    return JSON.stringify(message)
  } catch {
    if ('id' in message && 'result' in message) {
      const error = { ...FAULTS.internalError, message: 'The result cannot be written as JSON' }
      return JSON.stringify({ jsonrpc: '2.0', id: message.id, error })
    }
    return JSON.stringify({ jsonrpc: '2.0', error: FAULTS.internalError })
  }
}
