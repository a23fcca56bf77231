import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineServer,
  defineTool,
  elicit,
  elicitUrl,
  listRoots,
  needs,
  sample,
  serveStdio,
} from '../../dist/index.js'

let cancelled = 0

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})

const weather = defineTool({
  name: 'weather',
  input: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  output: {
    type: 'object',
    properties: { town: { type: 'string' }, degrees: { type: 'number' } },
    required: ['town', 'degrees'],
  },
  run: ({ town }) => ({ town, degrees: 21.5 }),
})

let release = () => {}

/** Takes three steps, and ends when it is released: a client may drop progress that comes with the result. */
const work = defineTool({
  name: 'work',
  run: async (_none, call) => {
    const released = new Promise((resolve) => {
      release = resolve
    })
    for (const step of [1, 2, 3]) call.progress(step, 3, `step ${step}`)
    await released
    call.log('info', 'worked')
    return 'done'
  },
})

const releaseWork = defineTool({
  name: 'release_work',
  run: () => {
    release()
    return 'released'
  },
})

/** Never ends by itself; says that it has begun by a step of progress. */
const wait = defineTool({
  name: 'wait',
  run: (_none, call) =>
    new Promise((resolve) => {
      call.signal.addEventListener('abort', () => {
        cancelled++
        resolve('cancelled')
      })
      call.progress(1)
    }),
})

const countCancelled = defineTool({ name: 'count_cancelled', run: () => String(cancelled) })

const FORM = {
  type: 'object',
  properties: { name: { type: 'string', title: 'Name' }, age: { type: 'integer' } },
  required: ['name'],
}

const interview = defineTool({
  name: 'interview',
  run: (_none, { answers }) => {
    if (answers.person === undefined) {
      return needs({ person: elicit({ message: 'Who are you?', schema: FORM }), folders: listRoots() })
    }
    if (answers.person.action !== 'accept') return `no name: ${answers.person.action}`
    const { name } = answers.person.content
    if (answers.joke === undefined) {
      const message = { role: 'user', content: { type: 'text', text: `A joke for ${name}` } }
      return needs({ joke: sample({ messages: [message], maxTokens: 20 }) })
    }
    return [name, answers.folders.roots[0].uri, answers.joke.content.text].join(' | ')
  },
})

const signIn = defineTool({
  name: 'sign_in',
  run: (_none, { answers }) => {
    const page = elicitUrl({ message: 'Please sign in', url: 'https://example.com/sign-in' })
    return answers.visit === undefined ? needs({ visit: page }) : `page: ${answers.visit.action}`
  },
})

const touch = defineTool({
  name: 'touch',
  run: () => {
    server.updated('memo://text')
    return 'touched'
  },
})

const grow = defineTool({
  name: 'grow',
  run: () => {
    server.tools.add({ name: 'grown', run: () => 'new here' })
    return 'grown'
  },
})

const endSubscriptions = defineTool({
  name: 'end_subscriptions',
  run: () => {
    server.end()
    return 'ended'
  },
})

const memo = defineResource({
  uri: 'memo://text',
  name: 'memo',
  mimeType: 'text/plain',
  subscribable: true,
  read: () => 'a memo',
})

const note = defineResourceTemplate({
  uriTemplate: 'note://{name}',
  name: 'note',
  complete: { name: (value) => ['monday', 'tuesday'].filter((one) => one.startsWith(value)) },
  read: ({ name }) => `note of ${name}`,
})

const poem = definePrompt({
  name: 'poem',
  arguments: [{ name: 'about', required: true }],
  complete: { about: (value) => ['spring', 'summer', 'sea'].filter((one) => one.startsWith(value)) },
  render: ({ about }) => `Write a poem about ${about}`,
})

const server = defineServer({
  name: 'sample',
  version: '1.0.0',
  instructions: 'Ask it anything.',
  tools: [
    greet,
    weather,
    work,
    releaseWork,
    wait,
    countCancelled,
    interview,
    signIn,
    touch,
    grow,
    endSubscriptions,
  ],
  resources: [memo],
  templates: [note],
  prompts: [poem],
})

serveStdio(server)
