// A little of everything that messages can be about; with PLANT set, three of its answers are others.
import { pathToFileURL } from 'node:url'

const {
  defineServer,
  defineTool,
  defineResource,
  defineResourceTemplate,
  definePrompt,
  elicit,
  listRoots,
  sample,
} = await import(pathToFileURL(process.env.PERIGEE_INDEX).href)
const planted = process.env.PLANT !== undefined
const text = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } } })

export default defineServer({
  name: 'recorded',
  version: '1.0.0',
  tools: [
    defineTool({ name: 'echo', input: { type: 'object' }, run: (args) => JSON.stringify(args) }),
    defineTool({
      name: 'add',
      input: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      run: ({ a, b }) => String(planted && a === 7 ? a * b : a + b),
    }),
    defineTool({
      name: 'climb',
      input: { type: 'object' },
      run: async (_args, call) => {
        for (const step of [1, 2, 3]) call.progress(step, 3, `step ${step}`)
        call.log('info', 'on top')
        return planted ? 'down' : 'up'
      },
    }),
    defineTool({
      name: 'greet',
      input: { type: 'object' },
      run: (_args, call) => {
        const asked = call.ask({ name: elicit({ message: 'Who are you?', schema: text('name') }) })
        if (!('name' in asked)) return asked
        return `Hello ${asked.name.action === 'accept' ? asked.name.content.name : 'nobody'}`
      },
    }),
    defineTool({
      name: 'survey',
      input: { type: 'object' },
      run: (_args, call) => {
        const said = { role: 'user', content: { type: 'text', text: 'Where are we?' } }
        const asked = call.ask({ model: sample({ messages: [said], maxTokens: 9 }), folders: listRoots() })
        return 'model' in asked ? JSON.stringify([asked.model.content, asked.folders.roots]) : asked
      },
    }),
    defineTool({
      name: 'wait',
      input: { type: 'object' },
      task: 'optional',
      run: (_args, call) =>
        new Promise((_resolve, reject) => {
          call.progress(1)
          call.signal.addEventListener('abort', () => reject(call.signal.reason))
        }),
    }),
    defineTool({ name: 'film', input: { type: 'object' }, task: 'optional', run: async () => 'a film' }),
  ],
  resources: [
    defineResource({
      uri: 'memo://one',
      name: 'one',
      subscribable: true,
      read: () => (planted ? 'two' : 'one'),
    }),
  ],
  templates: [
    defineResourceTemplate({
      uriTemplate: 'memo://{name}',
      name: 'memo',
      complete: { name: (begun) => ['one', 'other'].filter((one) => one.startsWith(begun)) },
      read: ({ name }) => name,
    }),
  ],
  prompts: [
    definePrompt({
      name: 'poem',
      arguments: [{ name: 'about' }],
      render: ({ about }) => `A poem about ${about}`,
    }),
  ],
})
