import { deepEqual, equal, ok } from 'node:assert/strict'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { textOf } from './speaker.ts'
import type { TransportTest } from './transport-test.ts'

/** Three bytes a letter, and no less than half of what a message may be by default. */
const LARGE = '✓'.repeat(200_000)

/** Letters of one to four bytes. */
const LETTERS = 'aé✓🌘'

/** Messages to and fro. */
export const CARRYING: readonly TransportTest[] = [
  {
    name: 'requests are answered with their ids, as they were written',
    async run({ speaker }) {
      await speaker.open()
      for (const id of ['1', 1000, 'ü "quoted"']) {
        await speaker.send({ ...speaker.composeCall('echo', { text: `to ${id}` }), id })
        equal(textOf(await speaker.answerTo(id)), `to ${id}`)
      }
    },
  },
  {
    name: 'what the server does not know is answered by an error',
    async run({ speaker }) {
      await speaker.open()
      equal(codeOf(await speaker.ask('no/such/method')), -32601)
    },
  },
  {
    name: 'unreadable input is answered by an error, and the conversation goes on',
    async run({ speaker }) {
      await speaker.open()
      await speaker.end.send('{"jsonrpc": "2.0", "method"')
      const parseError = (one: JsonObject) => codeOf(one) === -32700 && (one['id'] ?? null) === null
      await speaker.find('a parse error', parseError)
      equal(textOf(await speaker.call('echo', { text: 'still here' })), 'still here')
    },
  },
  {
    name: 'a large message arrives whole, in both directions',
    async run({ speaker }) {
      await speaker.open()
      ok(textOf(await speaker.call('echo', { text: LARGE })) === LARGE, 'it came back changed')
    },
  },
  {
    name: 'UTF-8 may be cut anywhere',
    needs: 'bytes',
    async run({ speaker }) {
      await speaker.open()
      const request = speaker.composeCall('echo', { text: LETTERS })
      const bytes = new TextEncoder().encode(JSON.stringify(request))
      const pieces = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1))
      ok(speaker.end.sendPieces, 'expected sendPieces, or lacks: { bytes: … }')
      await speaker.end.sendPieces(pieces)
      equal(textOf(await speaker.answerTo(request.id)), LETTERS)
    },
  },
  {
    name: 'many calls at once are answered, each with what is its own',
    async run({ speaker }) {
      await speaker.open()
      const texts = Array.from({ length: 50 }, (_one, index) => `call ${index}`)
      const ids = await Promise.all(
        texts.map((text, index) => speaker.begin('later', { text, turns: (50 - index) % 7 })),
      )
      const answers = await Promise.all(ids.map((id) => speaker.answerTo(id)))
      deepEqual(answers.map(textOf), texts)
    },
  },
  {
    name: 'a batch is answered by one batch',
    applies: ({ batches }) => batches,
    async run({ speaker, texts }) {
      await speaker.open()
      const before = texts.length
      const calls = ['first', 'second'].map((text) => speaker.composeCall('later', { text }))
      await speaker.send([...calls, { jsonrpc: '2.0', method: 'notifications/unheard-of' }])
      const answers = await Promise.all(calls.map(({ id }) => speaker.answerTo(id)))
      deepEqual(answers.map(textOf), ['first', 'second'])
      const batches = texts.slice(before).filter((text) => text.startsWith('['))
      equal(batches.length, 1, 'expected one array')
    },
  },
  {
    name: 'nothing is kept of calls that were answered',
    async run({ speaker }) {
      await speaker.open()
      for (const name of ['echo', 'later', 'tell']) await speaker.call(name)
      await speaker.eventually(async () => {
        const { functions, calls } = await speaker.count()
        deepEqual({ functions, calls }, { functions: 0, calls: 0 })
      })
    },
  },
]

function codeOf({ error }: JsonObject): unknown {
  return isObject(error) ? error['code'] : undefined
}
