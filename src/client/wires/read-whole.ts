import { ClientError } from '../errors.ts'
import type { MessageLimits } from '../intake.ts'
import { type FetchedAnswer, readText } from './fetching.ts'

/** The whole body of an answer that somebody waits for, up to the limit. */
export function readWhole(response: FetchedAnswer, limits: MessageLimits): string | Promise<string> {
  try {
    const text = readText(response, limits)
    return typeof text === 'string' ? text : text.catch(breakOff)
  } catch (error) {
    return breakOff(error)
  }
}

function breakOff(cause: unknown): never {
  throw cause instanceof ClientError
    ? cause
    : new ClientError('lost', `The answer broke off: ${(cause as Error).message}`, { cause })
}
