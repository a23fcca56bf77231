import { expect, it } from 'vitest'
import type { Outgoing } from '../../../kernel/index.ts'
import { MissedChanges } from './missed-changes.ts'

const notice = (method: string, params?: object) =>
  ({ jsonrpc: '2.0', method, ...(params && { params }) }) as Outgoing
const TOOLS = notice('notifications/tools/list_changed')
const updated = (uri: string) => notice('notifications/resources/updated', { uri })

it('takes what says that something has changed, and nothing else', () => {
  const changes = new MissedChanges()
  for (const message of [TOOLS, updated('a:b')]) {
    expect(changes.isChange(message)).toBe(true)
    expect(changes.note(message, 1)).toBe(true)
  }
  const answer = { jsonrpc: '2.0', id: 1, result: {} } as const
  for (const message of [
    notice('notifications/message', {}),
    notice('tools/list'),
    answer,
    [answer],
  ] as Outgoing[]) {
    expect(changes.isChange(message)).toBe(false)
    expect(changes.note(message, 2)).toBe(false)
  }
  expect(changes.after(0)).toHaveLength(2)
})

it('tells of each change when it last was, in that order', () => {
  const changes = new MissedChanges()
  expect(changes.after(0)).toEqual([])
  for (const [index, message] of [TOOLS, updated('a:b'), updated('c:d'), TOOLS].entries())
    changes.note(message, index + 1)
  expect(changes.after(0)).toEqual([
    { number: 2, text: JSON.stringify(updated('a:b')) },
    { number: 3, text: JSON.stringify(updated('c:d')) },
    { number: 4, text: JSON.stringify(TOOLS) },
  ])
  expect(changes.after(2).map(({ number }) => number)).toEqual([3, 4])
})

it('remembers the last sixty-four', () => {
  const changes = new MissedChanges()
  for (let number = 1; number <= 64; number++) changes.note(updated(`a:${number}`), number)
  expect(changes.after(0)).toHaveLength(64)
  expect(changes.note(updated('a:65'), 65)).toBe(true)
  expect(changes.after(0).map(({ number }) => number)).toEqual(
    Array.from({ length: 64 }, (_, index) => index + 2),
  )
})
