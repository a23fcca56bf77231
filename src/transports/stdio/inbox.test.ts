import { expect, it } from 'vitest'
import { DEFAULT_DIALECT, type Incoming, settleBudgets } from '../../kernel/index.ts'
import { Inbox } from './inbox.ts'

function createInbox(maxReadAheadBytes = 1000, maxReadAheadMessages = 1000) {
  return new Inbox(
    { dialect: DEFAULT_DIALECT, budgets: settleBudgets() },
    { maxLineBytes: 100_000, maxReadAheadBytes, maxReadAheadMessages },
  )
}

const request = (id: number, method = 'tools/list') => ({ jsonrpc: '2.0', id, method })
const notice = (method: string, params = {}) => ({ jsonrpc: '2.0', method, params })
const cancel = (requestId: unknown) => notice('notifications/cancelled', { requestId })

function say(inbox: Inbox, ...messages: readonly object[]): void {
  inbox.push(Buffer.from(messages.map((one) => `${JSON.stringify(one)}\n`).join('')))
}

const nameOf = (incoming: Incoming | undefined) => {
  if (incoming === undefined) return undefined
  if (incoming.kind === 'request') return `${incoming.method} ${incoming.id}`
  return incoming.kind === 'notification' ? incoming.method : incoming.kind
}

function takeAll(inbox: Inbox, room: boolean) {
  const taken: (string | undefined)[] = []
  for (let one = inbox.take(room); one !== undefined; one = inbox.take(room)) taken.push(nameOf(one))
  return taken
}

it('gives messages in the order in which they came, over any number of chunks', () => {
  const inbox = createInbox()
  expect(inbox.take(true)).toBe(undefined)
  say(inbox, request(1), request(2))
  say(inbox, request(3))
  expect(inbox.messages).toBe(3)
  expect(takeAll(inbox, true)).toEqual(['tools/list 1', 'tools/list 2', 'tools/list 3'])
  expect([inbox.bytes, inbox.messages]).toEqual([0, 0])
})

it('gives all of more than it parses in one go', () => {
  const inbox = createInbox()
  const ids = Array.from({ length: 300 }, (_, index) => index + 1)
  say(inbox, ...ids.map((id) => request(id)))
  expect(takeAll(inbox, true)).toEqual(ids.map((id) => `tools/list ${id}`))
})

it('counts what has come until it is taken up, and is full at either budget', () => {
  const line = JSON.stringify(request(1)).length
  const inbox = createInbox(2 * line, 3)
  expect([inbox.bytes, inbox.full, inbox.longest]).toEqual([0, false, 0])
  say(inbox, request(1))
  expect([inbox.bytes, inbox.full]).toEqual([line, false])
  say(inbox, request(2))
  expect([inbox.bytes, inbox.full]).toEqual([2 * line, true])
  inbox.take(true)
  expect([inbox.bytes, inbox.messages, inbox.full]).toEqual([line, 1, false])
  const narrow = createInbox(1000, 2)
  say(narrow, request(1))
  expect(narrow.full).toBe(false)
  say(narrow, request(2))
  expect(narrow.full).toBe(true)
  narrow.take(false)
  expect([narrow.messages, narrow.full]).toEqual([2, true])
})

it('lets all else overtake calls while there is no room for them', () => {
  const inbox = createInbox()
  say(
    inbox,
    request(1),
    request(2, 'ping'),
    notice('notifications/x'),
    [request(3)],
    request(4, 'initialize'),
    notice('exit'),
  )
  expect(takeAll(inbox, false)).toEqual(['ping 2', 'notifications/x', 'initialize 4'])
  expect(inbox.messages).toBe(3)
  expect(inbox.bytes).toBeGreaterThan(0)
  say(inbox, request(5))
  expect(takeAll(inbox, true)).toEqual(['tools/list 1', 'batch', 'exit', 'tools/list 5'])
  expect([inbox.bytes, inbox.messages]).toEqual([0, 0])
})

it('never gives a call that was cancelled while it waited', () => {
  const inbox = createInbox()
  say(
    inbox,
    request(1),
    request(2),
    request(2),
    cancel(2),
    cancel(9),
    cancel(undefined),
    notice('notifications/x', { requestId: 1 }),
  )
  expect(takeAll(inbox, false)).toHaveLength(4)
  expect(inbox.messages).toBe(2)
  expect(takeAll(inbox, true)).toEqual(['tools/list 1', 'tools/list 2'])
  say(inbox, request(2), cancel(2))
  expect(takeAll(inbox, false)).toEqual(['notifications/cancelled'])
  expect([inbox.bytes, inbox.messages, inbox.take(true)]).toEqual([0, 0, undefined])
})

it('calls off one call for each time that its id is cancelled', () => {
  const inbox = createInbox()
  say(inbox, request(1), request(1), request(1), cancel(1), cancel(1))
  takeAll(inbox, false)
  expect(inbox.messages).toBe(1)
  expect(takeAll(inbox, true)).toEqual(['tools/list 1'])
})

it('gives the last line without an end when the client has closed', () => {
  const inbox = createInbox()
  inbox.push(Buffer.from(JSON.stringify(request(1))))
  expect(inbox.take(true)).toBe(undefined)
  inbox.push(undefined)
  expect(takeAll(inbox, true)).toEqual(['tools/list 1'])
})
