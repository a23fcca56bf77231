// A server that asks, tells, waits and shows whatever a command has to cope with.
import { appendFileSync } from 'node:fs'
import {
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  elicit,
  elicitUrl,
  listRoots,
  Needs,
  sample,
  serveStdio,
} from '../../dist/index.js'
import { TYPES } from './types.mjs'

const DIARY = process.env.DIARY
const note = (line) => DIARY !== undefined && appendFileSync(DIARY, `${line}\n`)
note(`pid ${process.pid}`)

const FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    age: { type: 'integer', minimum: 0 },
    mail: { type: 'string', format: 'email' },
    drink: { type: 'string', enum: ['tea', 'coffee'], description: 'what you like' },
    sugar: { type: 'boolean', default: false },
    extras: { type: 'array', items: { type: 'string', enum: ['milk', 'lemon'] } },
    remark: { type: 'string' },
  },
  required: ['name', 'age', 'mail', 'drink'],
}

/** Asks, and gives the answers as they came. */
const asking = (name, questions) =>
  defineTool({
    name,
    run: (_none, call) => {
      const asked = call.ask(questions)
      return asked instanceof Needs ? asked : JSON.stringify(asked)
    },
  })

const tools = [
  defineTool({ name: 'show', input: TYPES, run: (args) => JSON.stringify(args) }),
  defineTool({ name: 'free', run: (args) => JSON.stringify(args) }),
  defineTool({
    name: 'fail',
    run: () => {
      throw new Error('no luck')
    },
  }),
  defineTool({ name: 'structured', run: () => ({ content: [], structuredContent: { sum: 42 } }) }),
  defineTool({
    name: 'picture',
    run: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }),
  }),
  defineTool({ name: 'hostile', run: () => 'red \u001b[31m alert \u0007 and \u202e turned\nnext' }),
  defineTool({
    name: 'climb',
    run: async (_none, call) => {
      for (const step of [1, 2, 3, 4]) call.progress(step, 4, `step ${step}`)
      call.log('warning', 'steep')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return 'up'
    },
  }),
  defineTool({
    name: 'wait',
    run: (_none, call) =>
      new Promise((resolve) => {
        note('waiting')
        call.progress(1)
        call.signal.addEventListener('abort', () => {
          note('cancelled')
          resolve('cancelled')
        })
      }),
  }),
  asking('form', { form: elicit({ message: 'What will it \u001b[31mbe?', schema: FORM }) }),
  asking('visit', {
    visit: elicitUrl({ message: 'Sign in, please', url: 'https://id.example.com/in', elicitationId: 'e1' }),
  }),
  asking('trap', { visit: elicitUrl({ message: 'Look', url: 'javascript:alert(1)', elicitationId: 'e2' }) }),
  asking('folders', { folders: listRoots() }),
  asking('joke', {
    joke: sample({ messages: [{ role: 'user', content: { type: 'text', text: 'A joke' } }], maxTokens: 9 }),
  }),
]

const server = defineServer({
  name: 'curious',
  version: '1.0.0',
  tools,
  resources: [
    defineResource({ uri: 'memo://text', name: 'memo', subscribable: true, read: () => 'two\nlines' }),
    defineResource({
      uri: 'memo://bytes',
      name: 'bytes',
      mimeType: 'application/octet-stream',
      read: () => new Uint8Array([0, 255, 10, 128]),
    }),
  ],
  prompts: [
    definePrompt({
      name: 'poem',
      description: 'A poem',
      arguments: [{ name: 'about', required: true }],
      render: ({ about }) => `Write about ${about}`,
    }),
  ],
})

/** Whoever watches is told of something every now and then. */
let grown = 0
const growing = setInterval(() => {
  if (process.env.GROWS === undefined) return
  server.tools.add({ name: `grown_${++grown}`, run: () => 'new' })
  server.tools.remove('free')
  server.updated('memo://text')
}, 100)
growing.unref()
if (process.env.DIES !== undefined) setTimeout(() => process.exit(7), Number(process.env.DIES)).unref()

serveStdio(server)
