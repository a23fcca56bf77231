import { expect, it } from 'vitest'
import type { Audience } from '../callers/audience.ts'
import { Announcer } from './announcer.ts'
import { Changes } from './changes.ts'
import type { ServerChange } from './listener.ts'

const ALL: Audience = { owner: undefined, scopes: [] }

function createChanges() {
  const [heard, published]: [string[], string[]] = [[], []]
  const nameOf = (change: ServerChange) => ('list' in change ? change.list : '')
  const listener = { tell: (change: ServerChange) => void heard.push(nameOf(change)), end: () => {} }
  const announcer = new Announcer(new Set([listener]), () => () => {})
  announcer.publish = (change) => void published.push(nameOf(change))
  return { changes: new Changes(announcer, () => false), heard, published }
}

it('what changed here before something that another node has told of is told to all, and that here alone', async () => {
  const { changes, heard, published } = createChanges()
  changes.add('tools', ALL)
  changes.fromElsewhere(() => changes.add('prompts', ALL))
  expect([heard, published]).toEqual([['tools', 'prompts'], ['tools']])
  changes.add('resources', ALL)
  expect(changes.untold).toBe(true)
  await Promise.resolve()
  expect([heard.at(-1), published.at(-1), changes.untold]).toEqual(['resources', 'resources', false])
})
