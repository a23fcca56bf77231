import { FAULTS } from '../faults.ts'
import { cut } from '../words/describe.ts'
import type { JsonObject, WireError } from './message.ts'

/** Nobody reads more of an error, and whoever tells of it looks through all of it. */
const LONGEST = 16 * 1024

/**
 * The error of an answer, whoever has sent it: what it gives no code or no words of has those of an internal error, and
 * of a text that is too long its beginning is kept.
 * @example console.error(readError({ code: 'E_DISK', message: 'The disk is full' }).message) // The disk is full
 */
export function readError({ code, message, data }: JsonObject): WireError {
  return {
    code: Number.isSafeInteger(code) ? Number(code) : FAULTS.internalError.code,
    message: typeof message === 'string' ? cut(message, LONGEST) : 'An error came that gives no reason',
    data: typeof data === 'string' ? cut(data, LONGEST) : data,
  }
}
