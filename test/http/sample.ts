import { defineServer } from '../../src/authoring/define-server.ts'
import { defineResource, defineTool, elicit, Needs, type ServerDefinition, sample } from '../../src/index.ts'
import type { Call, Server } from '../../src/kernel/index.ts'
import { Inbox } from '../setup/inbox.ts'
import { kernelCall } from '../setup/kernel.ts'

/** A call of `talk` that is under way: the test says what it says, and when it ends. */
export interface Talk {
  readonly call: Call
  finish(text?: string): void
}

export interface Sample {
  readonly server: Server
  readonly talks: Inbox<Talk>
}

const FORM = elicit({
  message: 'What is your name?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
})

const echo = defineTool({
  name: 'echo',
  description: 'Says it again',
  input: { type: 'object', properties: { text: { type: 'string' } } } as const,
  run: ({ text = '' }) => text,
})

const route = defineTool({
  name: 'route',
  description: 'Has arguments that proxies can see',
  input: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      level: { type: 'integer', 'x-mcp-header': 'Level' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      deep: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
    },
  },
  run: () => 'routed',
})

const ask = defineTool({
  name: 'ask',
  description: 'Asks the user',
  run: (_args, call) => {
    const asked = call.ask({ name: FORM })
    if (asked instanceof Needs) return asked
    return asked.name.action === 'accept' ? `Hello, ${asked.name.content.name}` : 'Hello, you'
  },
})

const think = defineTool({
  name: 'think',
  description: 'Asks the model of the client',
  run: (_args, call) => {
    const message = { role: 'user', content: { type: 'text', text: 'Think' } }
    const asked = call.ask({ thought: sample({ messages: [message], maxTokens: 5 }) })
    if (asked instanceof Needs) return asked
    return { content: [asked.thought.content].flat() }
  },
})

const big = defineTool({
  name: 'big',
  description: 'Gives that many bytes, after that many notices in one go',
  input: {
    type: 'object',
    properties: { bytes: { type: 'integer' }, notices: { type: 'integer' } },
  } as const,
  run: ({ bytes = 0, notices = 0 }, call) => {
    for (let number = 1; number <= notices; number++) call.log('info', `${number} ${'n'.repeat(1000)}`)
    return 'x'.repeat(bytes)
  },
})

const note = defineResource({ uri: 'note://a', name: 'a', subscribable: true, read: () => 'A' })

/** A server whose calls do what the test wants. */
export function createSample(more: Partial<ServerDefinition> = {}): Sample {
  const talks = new Inbox<Talk>()
  const talk = defineTool({
    name: 'talk',
    description: 'Goes on until the test has it finish',
    run: (_args, call) =>
      new Promise<string>((resolve) => {
        talks.push({ call: kernelCall(call), finish: (text = 'done') => resolve(text) })
      }),
  })
  const server = defineServer({
    name: 'sample',
    version: '1.0.0',
    tools: [echo, route, ask, think, big, talk],
    resources: [note],
    ...more,
  })
  return { server, talks }
}
