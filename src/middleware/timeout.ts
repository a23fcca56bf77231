import {
  type AuthorMiddleware,
  type Call,
  Fault,
  findString,
  LONGEST_MS,
  membersOf,
  number,
  type Result,
  texts,
} from '../kernel/index.ts'

/** How long calls may take. */
export interface TimeoutOptions {
  /** How long a call may take, the time in which it waits for its client included. */
  readonly ms: number
  /** Which methods it is for. */
  readonly methods?: readonly string[]
}

const checkOptions = membersOf({ ms: number, methods: texts }, { needed: ['ms'] })

/** What runs to an end by itself; a subscription is meant to stay open. */
const METHODS = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']

/**
 * Answers for a call that takes too long, and tells whoever works on it to stop.
 * @example defineServer({ name: 'sums', version: '1.0.0', middleware: [timeout({ ms: 30_000 })] })
 */
export function timeout(options: TimeoutOptions): AuthorMiddleware {
  return limitTime(options, 'timeout')
}

/** The same, with the name of what somebody would have to change. */
export function limitTime(options: TimeoutOptions, source: string): AuthorMiddleware {
  checkOptions(options, 'timeout')
  const { ms, methods = METHODS } = options
  if (!(ms > 0 && ms <= LONGEST_MS)) throw new TypeError(`timeout: expected ms to be from 1 to ${LONGEST_MS}`)
  return (call: Call, next) => {
    const result = next(call)
    // A call that answers at once pays for no clock.
    return result instanceof Promise && methods.includes(call.method)
      ? race(result, call, { ms, source })
      : result
  }
}

interface Allowed {
  readonly ms: number
  readonly source: string
}

function race(result: Promise<Result>, call: Call, { ms, source }: Allowed): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      const text = `Timed out: ${nameOf(call)} took longer than ${ms} ms (${source})`
      if (call.method === 'tools/call') resolve({ content: [{ type: 'text', text }], isError: true })
      else reject(new Fault('internalError', text))
      call.stop()
    }
    const stopClock = call.server.platform.after(ms, giveUp, 'waited-for')
    result.finally(stopClock).then(resolve, reject)
  })
}

function nameOf({ method, params }: Call): string {
  return method === 'tools/call' ? `the tool ${findString(params, 'name')}` : method
}
