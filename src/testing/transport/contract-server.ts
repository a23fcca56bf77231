import { defineTool } from '../../authoring/define.ts'
import { defineServer } from '../../authoring/define-server.ts'
import {
  type AuthorServer,
  type Call,
  elicit,
  type Link,
  listRoots,
  Needs,
  sample,
} from '../../kernel/index.ts'

/** What a server still has of its clients. */
export interface Kept {
  /** Functions that run and were not told to stop. */
  readonly functions: number
  /** Calls under way. */
  readonly calls: number
  /** Those who are told of changes. */
  readonly listeners: number
  /** Bytes of what clients said of themselves, and of requests that are not answered yet. */
  readonly bytes: number
}

/** The server that the contract speaks to; for a process of its own, where the transport needs one. */
export interface ContractServer {
  readonly server: AuthorServer
  kept(): Kept
}

const TEXT = { type: 'object', properties: { text: { type: 'string' } } } as const

const echo = defineTool({ name: 'echo', input: TEXT, run: ({ text = '' }) => text })

const later = defineTool({
  name: 'later',
  description: 'Says it again after so many turns',
  input: { type: 'object', properties: { text: { type: 'string' }, turns: { type: 'integer' } } } as const,
  async run({ text = '', turns = 1 }) {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve))
    return text
  },
})

const tell = defineTool({
  name: 'tell',
  description: 'Tells how far it has come, so many times',
  input: { type: 'object', properties: { times: { type: 'integer' } } } as const,
  run({ times = 0 }, call) {
    for (let step = 1; step <= times; step++) {
      call.log('info', step)
      call.progress(step, times)
    }
    return 'told'
  },
})

const QUESTIONS = {
  'elicitation/create': elicit({
    message: 'What is your name?',
    schema: { type: 'object', properties: { name: { type: 'string' } } },
  }),
  'sampling/createMessage': sample({
    messages: [{ role: 'user', content: { type: 'text', text: 'Think' } }],
    maxTokens: 10,
  }),
  'roots/list': listRoots(),
}

const ask = defineTool({
  name: 'ask',
  description: 'Asks the client, and says what it answered',
  input: {
    type: 'object',
    properties: { method: { enum: ['elicitation/create', 'sampling/createMessage', 'roots/list'] } },
    required: ['method'],
  } as const,
  run({ method }, call) {
    const asked = call.ask({ it: QUESTIONS[method] })
    return asked instanceof Needs ? asked : JSON.stringify(asked.it)
  },
})

const grow = defineTool({
  name: 'grow',
  description: 'Offers one tool more',
  run(_args, { server }) {
    server.tools.add(defineTool({ name: `grown-${server.tools.size}`, run: () => 'grown' }))
    return 'grown'
  },
})

/**
 * A server whose tools do all that a transport must carry, and which can tell what it still keeps.
 * @example const { server, kept } = createContractServer()
 */
export function createContractServer(): ContractServer {
  const links = new Set<Link>()
  let functions = 0
  const wait = defineTool({
    name: 'wait',
    description: 'Does not end until it is cancelled',
    run: (_args, call) =>
      new Promise<string>((resolve) => {
        functions++
        call.whenCancelled(() => {
          functions--
          resolve('cancelled')
        })
        call.log('info', 'waiting')
      }),
  })
  const count = defineTool({
    name: 'count',
    description: 'Says what is kept right now',
    run: () => JSON.stringify(kept()),
  })
  const server = defineServer({
    name: 'contract',
    version: '1.0.0',
    logLevel: 'info',
    tools: [echo, later, tell, ask, grow, wait, count],
    middleware: [
      (call, next) => {
        links.add((call as Call).link) // The kernel's own: what it keeps is to be counted.
        return next(call)
      },
    ],
    observe(event) {
      if (event.kind === 'link-opened') event.link.log('info', 'welcome')
    },
  })
  const kept = (): Kept => ({
    functions,
    calls: [...links].reduce((sum, { calls }) => sum + calls.size, 0),
    listeners: server.listeners.size,
    bytes: server.held.total + server.underway.total,
  })
  return { server, kept }
}
