import { defineModule, type Module } from '../../authoring/define.ts'
import {
  type Call,
  Fault,
  isObject,
  type Link,
  type LogLevel,
  type Middleware,
  type Observer,
  type Outcome,
  watch,
} from '../../kernel/index.ts'

export interface JournalOptions {
  /** The name that stands in every notice and line. */
  readonly logger: string
  /** Takes a line of JSON for whoever runs the server. */
  readonly write: (line: string) => void
}

/** Told to a client after its first answer: whoever reads line by line does not expect it in between. */
const GREETING = 'Server initialized'

/** Says what happens, to the client as log notices and to the operator as lines of JSON. */
export function journal({ logger, write }: JournalOptions): Module {
  const note = (level: LogLevel, message: string) => {
    write(`${JSON.stringify({ time: new Date().toISOString(), level, logger, message })}\n`)
  }
  const tell = (to: Pick<Link, 'log'>, level: LogLevel, message: string) => {
    to.log(level, message, logger)
    note(level, message)
  }

  const ungreeted = new WeakSet<Link>()
  const greet = ({ link, outlet, aborted }: Call) => {
    if (!ungreeted.has(link) || link.state !== 'operating' || aborted) return
    ungreeted.delete(link)
    if (outlet === link.outlet) link.hold()
    link.log('info', GREETING, logger)
  }

  const middleware: Middleware = (call, next) => {
    const name = call.params?.['name']
    if (call.method === 'tools/call' && typeof name === 'string') tell(call, 'debug', `Calling tool: ${name}`)
    return watch(call, next, (outcome) => {
      greet(call)
      const failure = failureOf(outcome)
      if (failure !== undefined) tell(call, 'error', `${call.method}: ${failure}`)
    })
  }

  const observe: Observer = (event) => {
    if (event.kind === 'link-opened') {
      note('info', GREETING)
      ungreeted.add(event.link)
    }
    if (event.kind === 'unreadable') tell(event.link, 'error', event.fault.message)
    if (event.kind === 'refused') tell(event.link, 'error', `${event.request.method}: ${event.fault.message}`)
    if (event.kind === 'crashed') note('error', `${event.method}: ${stackOf(event.error)}`)
  }

  return defineModule({ name: 'journal', middleware: [middleware], observe })
}

function failureOf(outcome: Outcome): string | undefined {
  if ('error' in outcome) return outcome.error instanceof Fault ? outcome.error.message : 'Internal error'
  const { isError, content } = outcome.result
  if (isError !== true || !Array.isArray(content)) return undefined
  return content
    .flatMap((block) => (isObject(block) && block['type'] === 'text' ? [block['text']] : []))
    .join('\n')
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
