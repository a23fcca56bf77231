import { defineServer } from '../../src/authoring/define-server.ts'
import {
  defineModule,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  elicit,
  elicitUrl,
  Fault,
  listRoots,
  needs,
  sample,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'

const ICONS = [
  { src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' as const },
]
const ANNOTATIONS = { audience: ['user' as const], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' }
const META = { 'example.com/key': { any: ['thing'] } }
const PIXEL = 'AAEC'

/** Everything a block, an entry or a definition may carry, so that nothing is left out by chance. */
const DESCRIBED = { title: 'A title', description: 'What it is', icons: ICONS, _meta: META }

const getWeather = defineTool({
  ...DESCRIBED,
  name: 'get_weather',
  annotations: {
    title: 'Weather',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  input: {
    type: 'object',
    properties: { location: { type: 'string', description: 'A town' }, units: { enum: ['C', 'F'] } },
    required: ['location'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { location: { type: 'string' }, degrees: { type: 'number' } },
    required: ['location', 'degrees'],
  },
  run: ({ location }) => ({ location, degrees: 21.5 }),
})

const listTowns = defineTool({
  name: 'list_towns',
  output: { type: 'array', items: { type: 'string' } },
  run: () => ['Bern', 'Basel'],
})

const everyBlock = defineTool({
  name: 'every_block',
  run: () => ({
    content: [
      { type: 'text', text: 'plain' },
      { type: 'text', text: 'annotated', annotations: ANNOTATIONS, _meta: META },
      { type: 'image', data: PIXEL, mimeType: 'image/png', annotations: ANNOTATIONS, _meta: META },
      { type: 'audio', data: PIXEL, mimeType: 'audio/wav', annotations: ANNOTATIONS, _meta: META },
      {
        type: 'resource',
        resource: { uri: 'memo://text', mimeType: 'text/plain', text: 'inside', _meta: META },
        annotations: ANNOTATIONS,
        _meta: META,
      },
      { type: 'resource', resource: { uri: 'memo://blob', blob: PIXEL } },
      {
        ...DESCRIBED,
        type: 'resource_link',
        uri: 'memo://text',
        name: 'memo',
        mimeType: 'text/plain',
        size: 4,
        annotations: ANNOTATIONS,
      },
    ],
    structuredContent: { blocks: 7 },
    _meta: META,
  }),
})

const work = defineTool({
  name: 'work',
  run: async (_none, call) => {
    call.log('debug', 'starting')
    call.log('info', { step: 1 }, 'worker')
    call.progress(1)
    await Promise.resolve()
    call.progress(2, 3, 'almost')
    call.log('error', ['a', 1, null])
    return undefined
  },
})

const buildSimulation = defineTool({
  name: 'build_simulation',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }, call) => {
    call.progress(1, 1, 'built')
    return city
  },
})

const QUESTIONS = {
  form: () =>
    elicit({
      message: 'Who are you?',
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', description: 'Your name', minLength: 1, maxLength: 40 },
          age: { type: 'integer', minimum: 0, maximum: 150 },
          subscribe: { type: 'boolean', default: false },
          colour: { type: 'string', enum: ['red', 'blue'] },
        },
        required: ['name'],
      },
    }),
  url: () => elicitUrl({ message: 'Sign in', url: 'https://example.com/sign-in' }),
  sampling: () =>
    sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }],
      maxTokens: 10,
      systemPrompt: 'Be short',
      temperature: 0.5,
      stopSequences: ['.'],
      includeContext: 'none',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    }),
  roots: listRoots,
}

const ask = defineTool({
  name: 'ask',
  input: {
    type: 'object',
    properties: { kind: { enum: ['form', 'url', 'sampling', 'roots'] } },
    required: ['kind'],
  },
  run: ({ kind }, call) => {
    if (call.answers['it'] === undefined) return needs({ it: QUESTIONS[kind]() }, { state: { round: 1 } })
    return JSON.stringify(call.answers['it'])
  },
})

const askTwice = defineTool({
  name: 'ask_twice',
  run: (_none, call) => {
    if (call.answers['where'] === undefined) return needs({ where: listRoots() })
    if (call.answers['what'] === undefined) return needs({ what: QUESTIONS.sampling(), again: listRoots() })
    return Object.keys(call.answers).join()
  },
})

const longWork = defineTool({
  name: 'long_work',
  description: 'Goes on as a task',
  task: 'optional',
  run: async (_args, { answers }) =>
    answers['go'] === undefined
      ? needs({ go: elicit({ message: 'Go on?', schema: { type: 'object', properties: {} } }) })
      : 'Done',
})

const endlessWork = defineTool({
  name: 'endless_work',
  description: 'Never ends by itself',
  task: 'required',
  run: (_args, { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('Stopped'))),
})

const fail = defineTool({
  name: 'fail',
  input: {
    type: 'object',
    properties: { how: { enum: ['throw', 'fault', 'result', 'output'] } },
    required: ['how'],
  },
  output: { type: 'object', properties: { fine: { const: true } }, required: ['fine'] },
  run: ({ how }) => {
    if (how === 'throw') throw new Error('It broke')
    if (how === 'fault') throw new Fault('internalError', 'It broke badly', { why: 'because' })
    if (how === 'result') return { content: [{ type: 'text', text: 'It went wrong' }], isError: true }
    return { fine: false as true } // So that the schema finds it.
  },
})

const memo = defineResource({
  ...DESCRIBED,
  uri: 'memo://text',
  name: 'memo',
  mimeType: 'text/plain',
  size: 4,
  annotations: ANNOTATIONS,
  subscribable: true,
  cache: { ttlMs: 5000, cacheScope: 'public' },
  read: () => 'memo',
})

const picture = defineResource({
  uri: 'memo://blob',
  name: 'picture',
  mimeType: 'image/png',
  read: () => new Uint8Array([0, 1, 2]),
})

const mixed = defineResource({
  uri: 'memo://mixed',
  name: 'mixed',
  read: () => [
    { uri: 'memo://mixed/1', mimeType: 'text/plain', text: 'one', _meta: META },
    { uri: 'memo://mixed/2', blob: PIXEL },
  ],
})

const guarded = defineResource({
  uri: 'memo://guarded',
  name: 'guarded',
  read: (call) => (call.answers['roots'] === undefined ? needs({ roots: listRoots() }) : { open: true }),
})

const broken = defineResource({
  uri: 'memo://broken',
  name: 'broken',
  read: () => {
    throw new Error('The disk is gone')
  },
})

const file = defineResourceTemplate({
  ...DESCRIBED,
  uriTemplate: 'file:///project/{+path}',
  name: 'file',
  mimeType: 'text/plain',
  annotations: ANNOTATIONS,
  subscribable: true,
  complete: { path: (value) => ['src/main.rs', 'config.json'].filter((path) => path.startsWith(value)) },
  read: ({ path }) => (path === 'missing' ? undefined : `contents of ${path}`),
})

const codeReview = definePrompt({
  ...DESCRIBED,
  name: 'code_review',
  arguments: [
    { name: 'code', title: 'Code', description: 'The code to review', required: true },
    { name: 'language' },
    { name: 'framework' },
  ],
  complete: {
    language: (value) => ['python', 'pytorch', 'rust'].filter((one) => one.startsWith(value)),
    framework: (value, chosen) =>
      chosen['language'] === 'python' ? ['flask'].filter((one) => one.startsWith(value)) : [],
  },
  render: ({ code, language }) => `Review this ${language ?? 'code'}: ${code}`,
})

const everyMessage = definePrompt({
  name: 'every_message',
  render: () => ({
    description: 'One message of each kind',
    messages: [
      { role: 'user', content: { type: 'text', text: 'hello', annotations: ANNOTATIONS, _meta: META } },
      { role: 'assistant', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'audio', data: PIXEL, mimeType: 'audio/wav' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'memo://text', text: 'memo' } } },
      { role: 'user', content: { ...DESCRIBED, type: 'resource_link', uri: 'memo://text', name: 'memo' } },
    ],
    _meta: META,
  }),
})

const askingPrompt = definePrompt({
  name: 'asking',
  render: (_none, call) => (call.answers['roots'] === undefined ? needs({ roots: listRoots() }) : 'Thanks'),
})

const talk = defineModule({
  name: 'talk',
  tools: [longWork, endlessWork, buildSimulation, work, ask, askTwice, fail],
  prompts: [everyMessage, askingPrompt],
})

/** A server that uses everything an author can. */
export function createSampleServer(): Server {
  return defineServer({
    name: 'sample',
    version: '1.2.3',
    title: 'Sample',
    description: 'Says everything that can be said',
    websiteUrl: 'https://example.com',
    icons: ICONS,
    instructions: 'Use everything.',
    pageSize: 3,
    tools: [getWeather, listTowns, everyBlock],
    resources: [memo, picture, mixed, guarded, broken],
    templates: [file],
    prompts: [codeReview],
    modules: [talk],
  })
}
