import { defineTool, Fault } from '../../src/index.ts'
import { ANNOTATIONS, ICON, META, PIXEL, SOUND } from './values.ts'

/** Says everything there is to say about a tool. */
const weather = defineTool({
  name: 'weather',
  title: 'Weather',
  description: 'The weather of a city',
  input: {
    type: 'object',
    properties: { city: { type: 'string', description: 'A town' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'number' } },
    required: ['city', 'degrees'],
  },
  annotations: {
    title: 'Weather report',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
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
      { type: 'image', data: PIXEL, mimeType: 'image/png', annotations: ANNOTATIONS, _meta: META },
      { type: 'audio', data: SOUND, mimeType: 'audio/wav', annotations: ANNOTATIONS, _meta: META },
      {
        type: 'resource',
        resource: {
          uri: 'note://today',
          mimeType: 'text/plain',
          text: 'Sunny',
          _meta: { 'example.com/n': 2 },
        },
        annotations: ANNOTATIONS,
        _meta: META,
      },
      { type: 'resource', resource: { uri: 'note://bytes', blob: PIXEL } },
      {
        type: 'resource_link',
        uri: 'note://today',
        name: 'today',
        title: 'Today',
        description: 'A note',
        mimeType: 'text/plain',
        size: 5,
        annotations: ANNOTATIONS,
        icons: [ICON],
        _meta: META,
      },
    ],
    _meta: { 'example.com/n': 3 },
  }),
})

const nothing = defineTool({ name: 'nothing', description: 'Returns nothing', run: () => undefined })

export const fail = defineTool({
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

/** What needs nothing but its arguments; made anew for each server, since one of them counts. */
export function plainTools() {
  return [weather, primes, misfit, blocks, nothing, fail, count, chatter, ...waiting()]
}
