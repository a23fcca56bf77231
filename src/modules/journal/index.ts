import { defineModule, type Module } from '../../authoring/define.ts'
import {
  type Call,
  Fault,
  isObject,
  type KernelObserver,
  type Link,
  type LogLevel,
  type Middleware,
  type Outcome,
  watch,
} from '../../kernel/index.ts'

/** How the notices are named. */
export interface JournalOptions {
  /** The name that stands in every notice; the server's unless said. */
  readonly logger?: string
}

/** Told to a client after its first answer: whoever reads line by line does not expect it in between. */
const GREETING = 'Server initialized'

/**
 * Tells the client what happens, as log notices; whoever runs the server reads the log.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [journal({ logger: 'mine' })] })
 */
export function journal({ logger }: JournalOptions = {}): Module {
  const tell = (to: Pick<Link, 'log' | 'server'>, level: LogLevel, message: string) =>
    to.log(level, cut(message), logger ?? to.server.info.name)

  const ungreeted = new WeakSet<Link>()
  const greet = ({ link, outlet, aborted }: Call) => {
    if (!ungreeted.has(link) || link.state !== 'operating' || aborted) return
    ungreeted.delete(link)
    if (outlet === link.outlet) link.hold()
    tell(link, 'info', GREETING)
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

  const observe: KernelObserver = (event) => {
    if (event.kind === 'link-opened') ungreeted.add(event.link)
    if (event.kind === 'unreadable') tell(event.link, 'error', event.fault.message)
    if (event.kind === 'refused') tell(event.link, 'error', `${event.request.method}: ${event.fault.message}`)
  }

  return defineModule({ name: 'journal', wraps: 'server', middleware: [middleware], observe })
}

/** A client knows what it has sent. */
const MAX_LENGTH = 512

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function failureOf(outcome: Outcome): string | undefined {
  if ('error' in outcome) return outcome.error instanceof Fault ? outcome.error.message : 'Internal error'
  const { isError, content } = outcome.result
  if (isError !== true || !Array.isArray(content)) return undefined
  return content
    .flatMap((block) => (isObject(block) && block['type'] === 'text' ? [block['text']] : []))
    .join('\n')
}
