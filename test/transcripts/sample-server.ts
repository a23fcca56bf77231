import { defineServer } from '../../src/authoring/define-server.ts'
import {
  defineModule,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Elicited,
  elicit,
  elicitUrl,
  Fault,
  listRoots,
  Needs,
  sample,
  type ToolDefinition,
} from '../../src/index.ts'
import type { AuthorServer, Server } from '../../src/kernel/index.ts'

const ICON = { src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }
const ANNOTATIONS = { audience: ['user'], priority: 0.5, lastModified: '2026-01-02T03:04:05Z' } as const
const PIXEL = 'iVBORw0KGgo='
const SOUND = 'UklGRg=='

/** Says everything there is to say about a tool. */
const weather = defineTool({
  name: 'weather',
  title: 'Weather',
  description: 'The weather of a city',
  input: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'number' } },
    required: ['city', 'degrees'],
  },
  annotations: { title: 'Weather report', readOnlyHint: true, openWorldHint: true },
  icons: [ICON],
  _meta: { 'example.com/kind': 'report' },
  run: ({ city }) => ({ city, degrees: 21.5 }),
})

const primes = defineTool({
  name: 'primes',
  description: 'Structured content that is no object',
  output: { type: 'array', items: { type: 'integer' } },
  run: () => ({ structuredContent: [2, 3, 5] }),
})

const misfit = defineTool({
  name: 'misfit',
  description: 'Breaks the promise of its output schema',
  output: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  run: () => ({ degrees: 'warm' as never }), // The types would not let it.
})

const blocks = defineTool({
  name: 'blocks',
  description: 'One content block of each kind',
  run: () => ({
    content: [
      { type: 'text', text: 'plain', annotations: ANNOTATIONS, _meta: { 'example.com/n': 1 } },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: SOUND, mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: {
          uri: 'note://today',
          mimeType: 'text/plain',
          text: 'Sunny',
          _meta: { 'example.com/n': 2 },
        },
      },
      { type: 'resource_link', uri: 'note://today', name: 'today', title: 'Today', icons: [ICON] },
    ],
    _meta: { 'example.com/n': 3 },
  }),
})

const nothing = defineTool({ name: 'nothing', description: 'Returns nothing', run: () => undefined })

const fail = defineTool({
  name: 'fail',
  description: 'Fails in one way or another',
  input: {
    type: 'object',
    properties: { how: { enum: ['throw', 'result', 'fault', 'later'] } },
    required: ['how'],
  } as const,
  run: async ({ how }) => {
    if (how === 'result') return { content: [{ type: 'text', text: 'It went wrong' }], isError: true }
    if (how === 'fault') throw new Fault('invalidParams', 'Not like this', { why: 'because' })
    throw new Error(`It was thrown, ${how}`)
  },
})

const count = defineTool({
  name: 'count',
  description: 'Counts to three and says how far it is',
  run: async (_args, call) => {
    call.progress(1, 3, 'one')
    call.progress(1, 3, 'one again')
    await Promise.resolve()
    call.progress(2.5, 3)
    call.progress(3)
    return 'three'
  },
})

const chatter = defineTool({
  name: 'chatter',
  description: 'Logs at three levels',
  run: (_args, call) => {
    call.log('debug', 'whispered')
    call.log('warning', { said: 'aloud' }, 'mouth')
    call.log('emergency', ['shouted'])
    return 'done'
  },
})

/** Tools that wait, and one that tells how often they were called off. */
function waiting() {
  let calledOff = 0
  const wait = defineTool({
    name: 'wait',
    description: 'Waits until it is cancelled',
    run: (_args, call) =>
      new Promise<string>((resolve) => {
        call.signal.addEventListener('abort', () => {
          calledOff++
          call.log('error', 'nobody hears this')
          resolve('nobody hears this either')
        })
      }),
  })
  const calls = defineTool({
    name: 'called-off',
    description: 'How many waits were cancelled',
    run: () => String(calledOff),
  })
  return [wait, calls]
}

const NAME_FORM = elicit({
  message: 'What is your name?',
  schema: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] },
})

function nameOf(answer: Elicited<{ readonly name: string }>): string | undefined {
  return answer.action === 'accept' ? answer.content.name : undefined
}

const askName = defineTool({
  name: 'ask-name',
  description: 'Asks the user by a form',
  input: { type: 'object', properties: { greeting: { type: 'string' } } },
  run: ({ greeting = 'Hello' }, call) => {
    const asked = call.ask({ name: NAME_FORM })
    if (asked instanceof Needs) return asked
    const { name } = asked
    return name.action === 'accept' ? `${greeting}, ${name.content.name}` : `The user: ${name.action}`
  },
})

const askPage = defineTool({
  name: 'ask-page',
  description: 'Asks the user to open a page',
  run: (_args, call) => {
    const page = elicitUrl({ message: 'Please sign in', url: 'https://example.com/sign-in' })
    const asked = call.ask({ page })
    return asked instanceof Needs ? asked : `The user: ${asked.page.action}`
  },
})

const askModel = defineTool({
  name: 'ask-model',
  description: 'Asks the model of the client',
  run: (_args, call) => {
    const message = { role: 'user', content: { type: 'text', text: 'A poem, please' } }
    const asked = call.ask({ poem: sample({ messages: [message], maxTokens: 50 }) })
    return asked instanceof Needs ? asked : { content: [asked.poem.content].flat() }
  },
})

const askRoots = defineTool({
  name: 'ask-roots',
  description: 'Asks for the folders of the client',
  run: (_args, call) => {
    const asked = call.ask({ roots: listRoots() })
    return asked instanceof Needs ? asked : asked.roots.roots.map(({ uri }) => uri).join(' ')
  },
})

const askTwice = defineTool({
  name: 'ask-twice',
  description: 'Asks two things at once, then a third, and remembers what it was told',
  run: (_args, call) => {
    const both = call.ask({ first: NAME_FORM, second: NAME_FORM })
    if (both instanceof Needs) return both
    const last = call.ask({ third: NAME_FORM }, { state: { round: 2 } })
    if (last instanceof Needs) return last
    const names = [both.first, both.second, last.third].map(nameOf)
    return `${names.join(', ')} and ${JSON.stringify(call.state)}`
  },
})

const touch = defineTool({
  name: 'touch',
  description: 'Says that a resource has changed',
  input: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] } as const,
  run: ({ uri }, call) => {
    call.server.updated(uri)
    return `touched ${uri}`
  },
})

const change = defineTool({
  name: 'change',
  description: 'Adds to a list, or removes again what was added',
  input: {
    type: 'object',
    properties: {
      list: { enum: ['tools', 'resources', 'templates', 'prompts', 'tasks'] },
      how: { enum: ['add', 'remove', 'twice'] },
    },
    required: ['list', 'how'],
  } as const,
  run: ({ list, how }, { server }) => {
    const change = CHANGES[list]
    if (how === 'remove') return `removed: ${change.remove(server)}`
    change.add(server)
    if (how === 'twice') change.remove(server)
    return `${how} ${list}`
  },
})

const CHANGES = {
  tools: {
    add: (server: AuthorServer) => server.tools.add({ name: 'extra', run: () => 'extra' }),
    remove: (server: AuthorServer) => server.tools.remove('extra'),
  },
  resources: {
    add: (server: AuthorServer) =>
      server.resources.add({ uri: 'note://extra', name: 'extra', read: () => 'extra' }),
    remove: (server: AuthorServer) => server.resources.remove('note://extra'),
  },
  templates: {
    add: (server: AuthorServer) =>
      server.templates.add({ uriTemplate: 'extra://{name}', name: 'extra', read: () => 'extra' }),
    remove: (server: AuthorServer) => server.templates.remove('extra://{name}'),
  },
  prompts: {
    add: (server: AuthorServer) => server.prompts.add({ name: 'extra', render: () => 'extra' }),
    remove: (server: AuthorServer) => server.prompts.remove('extra'),
  },
  /** Tools whose calls may become tasks, which shows in all that a server says of itself. */
  tasks: {
    add: (server: AuthorServer) => {
      for (const tool of longTools) server.tools.add(tool)
    },
    remove: (server: AuthorServer) => longTools.map(({ name }) => server.tools.remove(name)).every(Boolean),
  },
}

const longTools: readonly ToolDefinition[] = [
  defineTool({
    name: 'long-wait',
    description: 'Waits until it is cancelled',
    task: 'optional',
    run: (_args, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => resolve('nobody hears this'))
      }),
  }),
  { ...askName, name: 'long-form', task: 'required' },
  { ...fail, name: 'long-fail', task: 'required' },
]

/** Says everything there is to say about a resource. */
const today = defineResource({
  uri: 'note://today',
  name: 'today',
  title: 'Today',
  description: 'A note',
  mimeType: 'text/plain',
  size: 5,
  annotations: ANNOTATIONS,
  icons: [ICON],
  _meta: { 'example.com/kind': 'note' },
  subscribable: true,
  cache: { ttlMs: 5000, cacheScope: 'public' },
  read: () => 'Sunny',
})

const bytes = defineResource({
  uri: 'note://bytes',
  name: 'bytes',
  mimeType: 'application/octet-stream',
  read: async () => Uint8Array.of(0, 1, 254, 255),
})

const pages = defineResource({
  uri: 'note://pages',
  name: 'pages',
  mimeType: 'text/plain',
  read: () => [
    { uri: 'note://pages/1', text: 'first', _meta: { 'example.com/n': 1 } },
    { uri: 'note://pages/2', mimeType: 'image/png', blob: PIXEL },
  ],
})

const secret = defineResource({
  uri: 'note://secret',
  name: 'secret',
  cache: { ttlMs: 5000, cacheScope: 'public' },
  read: (call) => {
    const asked = call.ask({ name: NAME_FORM })
    return asked instanceof Needs ? asked : `For ${nameOf(asked.name)} only`
  },
})

const broken = defineResource({
  uri: 'note://broken',
  name: 'broken',
  read: () => {
    throw new Error('a detail that stays here')
  },
})

const CITIES: { readonly [country: string]: readonly string[] } = {
  france: ['Lyon', 'Paris'],
  peru: ['Cusco', 'Lima'],
}

const city = defineResourceTemplate({
  uriTemplate: 'city://{country}/{city}',
  name: 'city',
  title: 'City',
  description: 'A city of a country',
  mimeType: 'application/json',
  annotations: ANNOTATIONS,
  icons: [ICON],
  _meta: { 'example.com/kind': 'place' },
  subscribable: true,
  complete: {
    country: (value) => Object.keys(CITIES).filter((country) => country.startsWith(value)),
    city: (value, chosen) =>
      (CITIES[chosen['country'] ?? 'peru'] ?? []).filter((name) => name.startsWith(value)),
  },
  read: ({ country, city }) => (CITIES[country]?.includes(city) === true ? { country, city } : undefined),
})

const letter = defineResourceTemplate({
  uriTemplate: 'letter://{name}',
  name: 'letter',
  read: async ({ name }) => `Dear ${name}`,
})

/** Says everything there is to say about a prompt. */
const travel = definePrompt({
  name: 'travel',
  title: 'Travel',
  description: 'Plans a journey',
  arguments: [
    { name: 'to', title: 'To', description: 'Where to go', required: true },
    { name: 'days' },
    { name: 'mood' },
  ],
  complete: {
    to: (value) => Object.keys(CITIES).filter((country) => country.startsWith(value)),
    days: async () => Array.from({ length: 150 }, (_one, index) => `${index + 1}`),
  },
  icons: [ICON],
  _meta: { 'example.com/kind': 'plan' },
  render: ({ to, days = 'some' }) => `Plan ${days} days in ${to}`,
})

const album = definePrompt({
  name: 'album',
  description: 'Messages of several kinds',
  render: () => ({
    description: 'An album',
    messages: [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'audio', data: SOUND, mimeType: 'audio/wav' } },
      { role: 'user', content: { type: 'resource_link', uri: 'note://today', name: 'today' } },
    ],
  }),
})

const interview = definePrompt({
  name: 'interview',
  description: 'Asks before it renders',
  render: (_args, call) => {
    const asked = call.ask({ name: NAME_FORM })
    return asked instanceof Needs ? asked : `Interview ${nameOf(asked.name)}`
  },
})

const questions = defineModule({
  name: 'questions',
  tools: [askName, askPage, askModel, askRoots, askTwice],
  prompts: [interview],
})

/** A server with something of everything, for dialogues to be about. */
export function createSampleServer(): Server {
  return defineServer({
    name: 'sample',
    version: '1.2.3',
    title: 'Sample',
    description: 'Something of everything',
    websiteUrl: 'https://example.com',
    icons: [ICON],
    instructions: 'Try everything',
    pageSize: 4,
    tools: [weather, primes, misfit, blocks, nothing, fail, count, chatter, ...waiting(), touch, change],
    resources: [today, bytes, pages, secret, broken],
    templates: [city, letter],
    prompts: [travel, album],
    modules: [questions],
  })
}
