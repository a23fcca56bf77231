import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { REVISIONS } from '../../src/kernel/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { Conversation } from '../../src/transports/stdio/conversation.ts'
import { anyJson, anyMessage } from './any.ts'
import { createSample } from './property-sample.ts'

/** Nothing that is said to it changes what it says next, so one serves all examples. */
const sample = createSample()
const openings = REVISIONS.filter(({ opening }) => opening === 'handshake').map(({ id }) => id)
const anyOpening = fc.constantFrom(undefined, ...openings)

/** A response in which anything may be wrong. */
const anyResponse: fc.Arbitrary<object> = fc
  .record(
    {
      jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant('2.0') }, anyJson),
      id: fc.oneof(fc.integer(), anyJson),
      method: fc.oneof(fc.constant(null), fc.integer(), fc.constant({})),
      result: anyJson,
      error: fc.oneof(fc.record({ code: anyJson, message: anyJson }), anyJson),
    },
    { requiredKeys: [] },
  )
  .filter((message) => 'result' in message || 'error' in message)

it('answers no response, however broken, alone or in a batch', async () => {
  const anySaid = fc.oneof(anyResponse, fc.array(anyResponse, { minLength: 1, maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(anyOpening, anySaid, async (version, said) => {
      expect(await replies(version, JSON.stringify(said))).toEqual([])
    }),
    { numRuns: 1500 },
  )
})

it.each([
  ['nested too deeply', `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`],
  ['in a batch that is too long', JSON.stringify(Array(1001).fill({ jsonrpc: '2.0', id: null, error: {} }))],
])('answers no response that is %s', async (_name, text) => {
  expect(await replies(undefined, text)).toEqual([])
})

it('answers no response that is too long for a line', async () => {
  const [one] = pipes()
  one.input.write(`{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(2000)}"}}\n`)
  one.input.write(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(2000)}"}\n`)
  await quiet()
  expect(one.said).toEqual([])
})

it('says at most one thing to any message', async () => {
  await fc.assert(
    fc.asyncProperty(anyOpening, anyMessage, async (version, message) => {
      expect((await replies(version, JSON.stringify(message))).length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 1500 },
  )
})

it.each([
  'nonsense',
  '{}',
  '[]',
  '[1,2]',
  '{"jsonrpc":"2.0","id":null,"method":5}',
  '\u0000',
  '[{"result":1}]',
])('lets two servers that are piped together fall silent after one bad line: %s', async (line) => {
  const [one, other] = pipes()
  one.input.write(`${line}\n`)
  await quiet()
  expect(one.said.length).toBeLessThanOrEqual(1)
  expect(other.said).toEqual([])
})

/** The replies to one text after the opening of a revision. */
async function replies(version: string | undefined, text: string): Promise<readonly string[]> {
  const heard: string[] = []
  const end = connectText(sample, (one) => heard.push(one))
  if (version !== undefined) {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'p', version: '1' } }
    end.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params })
    end.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    heard.length = 0
  }
  end.send(text)
  await quiet()
  end.close()
  return heard.filter((one) => !('method' in JSON.parse(one)))
}

/** Two servers, each reading what the other writes. */
function pipes() {
  const ends = [0, 1].map(() => ({ input: new PassThrough(), said: [] as string[] }))
  for (const [index, { input, said }] of ends.entries()) {
    const write = (text: string) => {
      said.push(text)
      if (said.length < 100) ends[1 - index]?.input.write(text) // Enough to see that they do not stop.
      return true
    }
    const server = createSample()
    const output = { write, onceDrained: () => {}, waiting: 0 }
    const budgets = { ...server.budgets, maxLineBytes: 1000 }
    new Conversation({ server, input, output, budgets, ended: () => {} })
  }
  return ends as [(typeof ends)[0], (typeof ends)[0]] // Two were made.
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate()
}
