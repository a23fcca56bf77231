import { expect, it } from 'vitest'
import { createReader } from '../../../test/http/reader.ts'
import type { Outgoing } from '../../kernel/index.ts'
import { answerRefused, answerReply, refusal, refuse } from './answers.ts'
import type { RefusalHooks } from './exchange.ts'
import { type BodyParts, joinParts, type PartedExchange } from './parts.ts'

const failed = (code: number, data?: object): Outgoing =>
  ({ jsonrpc: '2.0', id: 1, error: { code, message: 'no', ...(data && { data }) } }) as Outgoing // As a kernel gives it.

function answer(run: (exchange: ReturnType<typeof createReader>['exchange']) => void, hooks?: RefusalHooks) {
  const { exchange, answers } = createReader()
  exchange.hooks = hooks
  run(exchange)
  return answers[0]
}

it.each([
  [-32700, 400],
  [-32021, 400],
  [-32022, 400],
  [403, 403],
  [429, 429],
  [-32603, 200],
  [-32602, 200],
])('an answer with the error %d has the status %d', (code, status) => {
  expect(answer((exchange) => answerReply(exchange, failed(code)))?.status).toBe(status)
})

it.each([
  [undefined, '1'],
  [{}, '1'],
  [{ retryAfterMs: 'soon' }, '1'],
  [{ retryAfterMs: Number.POSITIVE_INFINITY }, '1'],
  [{ retryAfterMs: 0 }, '1'],
  [{ retryAfterMs: 1001 }, '2'],
  [{ retryAfterMs: 60_000 }, '60'],
])('a caller that calls too often is told when to come back: %j', (data, expected) => {
  const told = answer((exchange) => answerReply(exchange, failed(429, data), { headers: { 'x-more': '1' } }))
  expect(told?.headers).toEqual({
    'content-type': 'application/json',
    'retry-after': expected,
    'x-more': '1',
  })
})

it('an answer has the headers and the status that it was given', () => {
  const reply: Outgoing = { jsonrpc: '2.0', id: 1, result: {} }
  expect(
    answer((exchange) => answerReply(exchange, reply, { status: 400, headers: { 'x-more': '1' } })),
  ).toEqual({
    status: 400,
    headers: { 'content-type': 'application/json', 'x-more': '1' },
    body: '{"jsonrpc":"2.0","id":1,"result":{}}',
  })
  const batch: Outgoing = [reply, failed(429)] as Outgoing // Replies, all of them.
  expect(answer((exchange) => answerReply(exchange, batch))).toMatchObject({ status: 200 })
})

it('a refusal names the request, or what stands for one that could not be read', () => {
  const told: number[] = []
  const hooks: RefusalHooks = {
    turnedAway: (_exchange, { status }) => void told.push(status),
    unreadableId: () => undefined,
  }
  const refused = refusal(429, 'no', { 'retry-after': '1' })
  const body = (id?: string | null, given?: RefusalHooks) =>
    JSON.parse(answer((exchange) => refuse(exchange, refused, id), given)?.body ?? '')
  expect(body('a', hooks)).toMatchObject({ jsonrpc: '2.0', id: 'a', error: { message: 'no' } })
  expect(body(null, hooks)).not.toHaveProperty('id')
  expect(body()).toHaveProperty('id', null)
  expect(told).toEqual([429, 429])
})

it('what was refused and has another answer is not told as refused', () => {
  const told: number[] = []
  const hooks: RefusalHooks = {
    turnedAway: (_exchange, { status }) => void told.push(status),
    unreadableId: () => null,
  }
  const refused = refusal(403, 'no', { 'www-authenticate': 'Bearer' })
  const reply: Outgoing = { jsonrpc: '2.0', id: 1, result: {} }
  expect(answer((exchange) => answerRefused(exchange, reply, refused), hooks)).toMatchObject({ status: 200 })
  expect(told).toEqual([])
  const turned = answer((exchange) => answerRefused(exchange, failed(-32603), refused), hooks)
  expect(turned).toMatchObject({ status: 403, headers: { 'www-authenticate': 'Bearer' } })
  expect(told).toEqual([403])
})

const says = (text: string) => ({ content: [{ type: 'text', text }], isError: false })
const whole = (text: string) => ({ resultType: 'complete', ...says(text), _meta: { by: 'us' } })
const LONG = `"${'\n\\\u0001é😀'.repeat(20_000)}\ud800"`

it.each([
  ['a long text', says(LONG), true],
  ['a long text with its mark', whole(LONG), true],
  ['a short text', says('short'), false],
  ['a long text and more', { ...says(LONG), structuredContent: { a: '\\u0000' } }, true],
  ['a long text after a short one', { content: [{ type: 'text', text: 'a' }, ...says(LONG).content] }, true],
  ['two long texts', { content: [...says(LONG).content, ...says(`b${LONG}`).content] }, true],
  [
    'long texts around a short one, before much else',
    {
      content: [...says(LONG).content, ...says('short').content, ...says(LONG).content],
      structuredContent: { LONG },
    },
    true,
  ],
  ['a text that prints itself', { content: [{ type: 'text', text: LONG, toJSON: () => 'itself' }] }, false],
  ['a long text beside the mark of another', { ...says(LONG), _meta: { a: '\0later\0' } }, false],
  [
    'a long text that has marks of its own',
    { content: [{ type: 'text', text: LONG, _meta: {} }], isError: false },
    true,
  ],
])('%s leaves as it is printed, in parts where they are taken', (_what, result, parts) =>
  expectPrinted({ jsonrpc: '2.0', id: 'a"b', result } as Outgoing, parts),
)

it.each([
  ['short', says('short'), false],
  ['long', says(LONG), true],
])('a batch of answers that are %s leaves as it is printed, too', (_what, result, parts) => {
  const replies = ['a', 'b', 'c'].map((id) => ({ jsonrpc: '2.0', id, result }))
  expectPrinted(replies as unknown as Outgoing, parts)
})

function expectPrinted(reply: Outgoing, parts: boolean): void {
  const { exchange, answers } = createReader()
  answerReply(exchange, reply)
  const inParts: (string | undefined)[] = []
  const parted: PartedExchange = {
    ...exchange,
    answerInParts: (_status, _headers, body) => void inParts.push(joinParts(body)),
  }
  answerReply(parted, reply)
  const text = JSON.stringify(reply)
  expect(answers.map(({ body }) => body)).toEqual(parts ? [text] : [text, text])
  expect(inParts).toEqual(parts ? [text] : [])
}

it('what an answer in parts holds is all that waits to leave, and not its first long text alone', () => {
  const result = { content: [...says(LONG).content, ...says(LONG).content], structuredContent: { LONG } }
  const { exchange } = createReader()
  let held = 0
  const parted = {
    ...exchange,
    answerInParts: (_status: number, _headers: object, body: BodyParts) => {
      held = body.held
    },
  }
  answerReply(parted, { jsonrpc: '2.0', id: 1, result } as unknown as Outgoing)
  expect(held).toBeGreaterThan(3 * 2 * LONG.length)
})

it.each([
  ['cannot be looked at', () => revoked()],
  [
    'has no shape that can be asked for',
    () => new Proxy(says(LONG).content[0] ?? {}, { getPrototypeOf: broken }),
  ],
  ['makes its text anew each time', () => changing()],
])('a block that %s is told as any other, alone and in a batch', (_what, make) => {
  const { exchange, answers } = createReader()
  const inParts: string[] = []
  const parted = {
    ...exchange,
    answerInParts: (_status: number, _headers: object, body: BodyParts) =>
      void inParts.push(joinParts(body) ?? ''),
  }
  const reply = () => ({ jsonrpc: '2.0', id: 1, result: { content: [make()] } }) as unknown as Outgoing
  answerReply(parted, reply())
  answerReply(parted, [reply(), { jsonrpc: '2.0', id: 2, result: says(LONG) }] as unknown as Outgoing)
  expect(
    [...answers.map(({ body }) => body ?? ''), ...inParts].map((body) => [JSON.parse(body)].flat().length),
  ).toEqual([1, 2])
})

function broken(): never {
  throw new Error('not to be read')
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function changing(): object {
  let reads = 0
  return {
    type: 'text',
    get text() {
      return reads++ === 0 ? LONG : { length: Number.NaN }
    },
  }
}

it('a long text beside something that cannot be read is told as any other', () => {
  const result = {
    ...says(LONG),
    get _meta() {
      throw new Error('not to be read')
    },
  }
  const { exchange, answers } = createReader()
  const parted = { ...exchange, answerInParts: () => expect.unreachable() }
  answerReply(parted, { jsonrpc: '2.0', id: 1, result } as unknown as Outgoing) // As an author's function gives it.
  expect(answers[0]?.body).toContain('The answer cannot be written as JSON')
})
