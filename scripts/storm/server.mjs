// The server of the storm: whatever takes time, asks, changes or goes on after its answer, and says what it was told.
import { setTimeout as sleep } from 'node:timers/promises'
import { defineResource, defineServer, defineTool, elicit, Needs, sample } from '../../dist/index.js'
import { ROOMS, roomUri } from './rooms.mjs'

/** Which start of which node this is. */
const node = process.env.STORM_NODE ?? 'node'

const token = { type: 'string' }
const told = { type: 'object', properties: { token }, required: ['token'] }
const timed = { type: 'object', properties: { token, ms: { type: 'number' } }, required: ['token', 'ms'] }
const WORD = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }

const said = (what, word = '') => `${what} ${word}by ${node}`

function question(call, key) {
  const asked = call.ask({ [key]: elicit({ message: 'Which word?', schema: WORD }) })
  if (asked instanceof Needs) return { needs: asked }
  const { action, content } = asked[key]
  return { word: action === 'accept' ? content.word : action }
}

const tools = [
  defineTool({
    name: 'echo',
    description: 'Answer at once',
    input: told,
    run: ({ token }) => said(token),
  }),
  defineTool({
    name: 'count',
    description: 'Count, and tell of every step',
    input: {
      type: 'object',
      properties: { token, steps: { type: 'number' }, ms: { type: 'number' } },
      required: ['token', 'steps', 'ms'],
    },
    async run({ token, steps, ms }, call) {
      for (let step = 1; step <= steps; step++) {
        await sleep(ms, undefined, { signal: call.signal })
        call.progress(step, steps)
      }
      return said(token)
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Ask the user for a word',
    input: told,
    run({ token }, call) {
      const { needs, word } = question(call, 'word')
      return needs ?? said(token, `${word} `)
    },
  }),
  defineTool({
    name: 'think',
    description: 'Ask the model of the client for a word',
    input: told,
    run({ token }, call) {
      const asked = call.ask({
        word: sample({
          messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }],
          maxTokens: 9,
        }),
      })
      if (asked instanceof Needs) return asked
      return said(token, `${asked.word.content.text} `)
    },
  }),
  defineTool({
    name: 'wait',
    description: 'Wait until it is cancelled',
    input: timed,
    async run({ token, ms }, call) {
      call.progress(1)
      await sleep(ms, undefined, { signal: call.signal })
      return said(token)
    },
  }),
  defineTool({
    name: 'touch',
    description: 'Say that a room has changed',
    input: { type: 'object', properties: { token, uri: { type: 'string' } }, required: ['token', 'uri'] },
    run({ token, uri }, call) {
      call.server.updated(uri)
      return said(token)
    },
  }),
  defineTool({
    name: 'flip',
    description: 'Add a tool, or take it away',
    input: told,
    run({ token }, call) {
      const { tools: offered } = call.server
      if (!offered.remove('passing')) offered.add({ name: 'passing', run: () => 'passing' })
      return said(token)
    },
  }),
  defineTool({
    name: 'work',
    description: 'Work that may be done twice',
    input: timed,
    task: 'optional',
    annotations: { idempotentHint: true },
    run: async ({ token, ms }, call) => sleep(ms, said(token), { signal: call.signal }),
  }),
  defineTool({
    name: 'toil',
    description: 'Work that must not be done twice',
    input: timed,
    task: 'optional',
    run: async ({ token, ms }, call) => sleep(ms, said(token), { signal: call.signal }),
  }),
  defineTool({
    name: 'form',
    description: 'Work that waits for a word',
    input: told,
    task: 'optional',
    annotations: { idempotentHint: true },
    async run({ token }, call) {
      await sleep(50, undefined, { signal: call.signal })
      const { needs, word } = question(call, 'word')
      return needs ?? said(token, `${word} `)
    },
  }),
]

const resources = Array.from({ length: ROOMS }, (_, room) =>
  defineResource({
    name: `room-${room}`,
    uri: roomUri(room),
    subscribable: true,
    read: () => String(Date.now()),
  }),
)

export default defineServer({
  name: 'storm',
  version: '1.0.0',
  tools,
  resources,
})
