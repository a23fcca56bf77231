import { FAULTS } from '../faults.ts'
import type { Outgoing } from './message.ts'

const UNPRINTABLE = { ...FAULTS.internalError, message: 'The answer cannot be written as JSON' }

/** Message to text, on one line; an answer that is no JSON becomes an error for its id. */
export function print(message: Outgoing): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    if (isBatch(message)) return `[${message.map(print).join(',')}]`
    if ('method' in message) throw error // Whoever said it is still there to be told.
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: UNPRINTABLE })
  }
}

function isBatch(message: Outgoing): message is Extract<Outgoing, readonly unknown[]> {
  return Array.isArray(message)
}
