import { expect, it } from 'vitest'
import type { Request } from '../../kernel/index.ts'
import type { DevChild } from './child.ts'
import { Underway } from './underway.ts'

const child = {} as DevChild // Whose it is is all that is asked.
const request = (id: number): Request => ({
  kind: 'request',
  id,
  method: 'ping',
  params: undefined,
  length: 0,
})

it('takes no longer for one of many requests than for one of few', async () => {
  const underway = new Underway()
  const ids = Array.from({ length: 50_000 }, (_, id) => id)
  for (const id of ids) underway.add(child, request(id))
  for (const id of ids) expect(underway.take(child, id)?.id).toBe(id)
  await underway.idle(child)
}, 10_000)

it('knows a child as idle when what came twice under one id is answered once', async () => {
  const underway = new Underway()
  underway.add(child, request(1))
  underway.add(child, request(1))
  const idle = underway.idle(child)
  underway.take(child, 1)
  await idle
})
