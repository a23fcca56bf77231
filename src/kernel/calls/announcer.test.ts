import { expect, it } from 'vitest'
import { Announcer } from './announcer.ts'
import type { Listener, ServerChange } from './listener.ts'

/** So many listeners, what each has heard, and a clock that is turned by hand. */
function gather(count: number) {
  const turns: (() => void)[] = []
  const heard = Array.from({ length: count }, (): string[] => [])
  const listeners = new Set(
    heard.map(
      (words): Listener => ({
        tell: (change: ServerChange) => void words.push('resource' in change ? change.resource : ''),
        end: () => {},
      }),
    ),
  )
  const announcer = new Announcer(listeners, (_ms, run) => {
    turns.push(run)
    return () => {}
  })
  const turn = () => turns.shift()?.()
  const reached = () => heard.filter((words) => words.length > 0).length
  return { announcer, listeners, heard, turns, turn, reached }
}

it('tells few listeners at once', () => {
  const { announcer, heard, turns } = gather(200)
  for (const resource of ['a', 'b']) announcer.tell({ resource })
  expect(heard).toEqual(Array(200).fill(['a', 'b']))
  expect(turns).toEqual([])
})

it('tells many in slices, each in order, and none that has left or has come since', () => {
  const { announcer, listeners, heard, turns, turn, reached } = gather(500)
  announcer.tell({ resource: 'a' })
  announcer.tell({ resource: 'b' })
  expect(reached()).toBe(200)
  const last = [...listeners].at(-1)
  if (last !== undefined) listeners.delete(last)
  const late: string[] = []
  listeners.add({ tell: () => void late.push('told'), end: () => {} })
  turn()
  expect(reached()).toBe(400)
  while (turns.length > 0) turn()
  expect(heard).toEqual([...Array(499).fill(['a', 'b']), []])
  expect(late).toEqual([])
})

const tellsOf = (heard: readonly (readonly string[])[]) => heard.reduce((sum, words) => sum + words.length, 0)

it('lets no more than some changes wait, and none of them holds up all the others', () => {
  const { announcer, heard, turns, turn } = gather(300)
  for (let number = 0; number < 100; number++) announcer.tell({ resource: `${number}` })
  expect(tellsOf(heard)).toBe(200)
  for (let number = 100; number < 110; number++) {
    const before = tellsOf(heard)
    announcer.tell({ resource: `${number}` })
    expect(tellsOf(heard) - before).toBeLessThanOrEqual(300)
    expect(heard.every((words) => words.length >= number - 99)).toBe(true)
  }
  while (turns.length > 0) turn()
  expect(heard.every((words) => words.length === 110)).toBe(true)
})

it('tells once of what changes again before anybody was told of it, also those who have come since', () => {
  const { announcer, listeners, heard, turns, turn } = gather(300)
  for (const resource of ['a', 'b', 'c', 'b']) announcer.tell({ resource })
  const late: unknown[] = []
  listeners.add({ tell: (change) => void late.push(change), end: () => {} })
  announcer.tell({ resource: 'c' })
  while (turns.length > 0) turn()
  expect(heard).toEqual(Array(300).fill(['a', 'b', 'c']))
  expect(late).toEqual([{ resource: 'c' }])
})

it('tells of a list once while it waits for the same audiences, and of others by themselves', () => {
  const { announcer, heard, turns, turn } = gather(300)
  const [all, few] = [[{ owner: undefined, scopes: [] }], [{ owner: 'ann', scopes: [] }]]
  announcer.tell({ resource: 'a' })
  for (const list of ['tools', 'prompts', 'tools'] as const) announcer.tell({ list, audiences: all })
  announcer.tell({ list: 'tools', audiences: few })
  while (turns.length > 0) turn()
  expect(heard).toEqual(Array(300).fill(['a', '', '', '']))
})
