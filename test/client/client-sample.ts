import { defineServer } from '../../src/authoring/define-server.ts'
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  elicit,
  listRoots,
  Needs,
  sample,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'

const askWho = () =>
  elicit({
    message: 'Who are you?',
    schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })

/** A server with one of everything that a client can use. */
export function createSample(): Server {
  let cancelled = 0
  const tools = [
    defineTool({
      name: 'greet',
      description: 'Greets somebody',
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      annotations: { readOnlyHint: true },
      run: ({ name }) => `Hello, ${name}!`,
    }),
    defineTool({ name: 'sum', run: () => ({ sum: 42 }) }),
    defineTool({
      name: 'steps',
      run: (_none, call) => {
        for (const step of [1, 2, 3]) call.progress(step, 3, `step ${step}`)
        call.log('info', 'walked')
        return 'done'
      },
    }),
    defineTool({
      name: 'wait',
      run: (_none, call) =>
        new Promise((resolve) => {
          call.signal.addEventListener('abort', () => {
            cancelled++
            resolve('cancelled')
          })
          call.progress(1)
        }),
    }),
    defineTool({ name: 'cancelled', run: () => String(cancelled) }),
    defineTool({
      name: 'interview',
      run: (_none, call) => {
        const asked = call.ask({ person: askWho(), folders: listRoots() })
        if (asked instanceof Needs) return asked
        const { person, folders } = asked
        return `${person.action === 'accept' ? person.content.name : person.action} in ${folders.roots[0]?.uri}`
      },
    }),
    defineTool({
      name: 'joke',
      run: (_none, call) => {
        const message = { role: 'user', content: { type: 'text', text: 'A joke, please' } }
        const asked = call.ask({ joke: sample({ messages: [message], maxTokens: 20 }) })
        if (asked instanceof Needs) return asked
        return { content: [asked.joke.content].flat() }
      },
    }),
    defineTool({
      name: 'touch',
      run: () => {
        server.updated('memo://text')
        return 'touched'
      },
    }),
    defineTool({
      name: 'grow',
      run: () => {
        server.tools.add({ name: 'grown', run: () => 'new here' })
        return 'grown'
      },
    }),
    defineTool({ name: 'long', task: 'optional', run: async () => 'at last' }),
    defineTool({
      name: 'asking_task',
      task: 'optional',
      run: (_none, call) => {
        const asked = call.ask({ person: askWho() })
        if (asked instanceof Needs) return asked
        return `task of ${asked.person.action === 'accept' ? asked.person.content.name : 'nobody'}`
      },
    }),
    defineTool({
      name: 'routed',
      input: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      },
      run: ({ region }) => `in ${region}`,
    }),
  ]
  const server = defineServer({
    name: 'sample',
    version: '1.0.0',
    instructions: 'Ask it anything.',
    pageSize: 4,
    tools,
    resources: [
      defineResource({ uri: 'memo://text', name: 'memo', subscribable: true, read: () => 'a memo' }),
      defineResource({ uri: 'memo://tür', name: 'door', read: () => 'open' }),
    ],
    templates: [
      defineResourceTemplate({
        uriTemplate: 'note://{name}',
        name: 'note',
        complete: { name: (value) => ['monday', 'tuesday'].filter((one) => one.startsWith(value)) },
        read: ({ name }) => `note of ${name}`,
      }),
    ],
    prompts: [
      definePrompt({
        name: 'poem',
        arguments: [{ name: 'about', required: true }],
        complete: { about: (value) => ['spring', 'summer', 'sea'].filter((one) => one.startsWith(value)) },
        render: ({ about }: { about: string }) => `Write a poem about ${about}`,
      }),
    ],
  })
  return server
}
