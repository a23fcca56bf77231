import { isLogLevel, LOG_LEVELS } from '../log-level.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import { nearest } from '../words/suggest.ts'
import { text } from './members.ts'

/** What is told by a log notice, and by whom. */
export interface Notice {
  readonly data: unknown
  readonly logger: string | undefined
}

/** Throws a TypeError where what an author's function tells by `call.log` or `link.log` is no log notice. */
export function checkNotice(caller: string, level: unknown, said: readonly unknown[]): Notice {
  if (!isLogLevel(level)) throw new Mistake(`${caller}: level: ${wrongLevel(level, caller)}`)
  const [data, logger] = said
  if (said.length === 0 || typeof data === 'function' || typeof data === 'symbol') {
    const way = `${caller}(${JSON.stringify(level)}, 'It rains')`
    throw new Mistake(`${caller}: data: expected what there is to tell, as in ${way}, got ${describe(data)}`)
  }
  if (logger !== undefined) text(logger, `${caller}: logger`)
  // What turned out to be nothing is told as that, since a notice without data is none.
  return { data: data === undefined ? null : data, logger: logger as string | undefined } // It was checked above.
}

function wrongLevel(level: unknown, caller: string): string {
  const wrong = `expected one of ${LOG_LEVELS.join(', ')}, got ${describe(level)}`
  const near = typeof level === 'string' ? nearest(level, [...LOG_LEVELS, ...Object.keys(MEANT)]) : undefined
  if (near === undefined) return `${wrong}. It stands first: ${caller}('info', 'It rains')`
  return `${wrong}. Did you mean ${MEANT[near] ?? near}?`
}

/** What other libraries, and those in a hurry, call them. */
const MEANT: { readonly [name: string]: string } = {
  trace: 'debug',
  log: 'info',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
}
