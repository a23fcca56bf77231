import { setImmediate as anotherTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Exchange, Page } from '../transports/http/exchange.ts'
import { readyPages } from './ready-pages.ts'

const WHO = { id: 'anybody' }

/** Asks for a page, and gives the status of each answer when it comes. */
function ask(page: Page | undefined, statuses: number[]): Promise<void> {
  if (page === undefined || typeof page === 'function') throw new TypeError('there is no such page')
  const exchange = {
    method: 'GET',
    query: '',
    answer: (status: number) => void statuses.push(status),
  } as unknown as Exchange // Nothing else of it is looked at.
  return Promise.resolve(page.answer(exchange, WHO))
}

it('answers one after the other, with a turn for others between two', async () => {
  const deeds: string[] = []
  const answer = () => {
    deeds.push('page')
    setImmediate(() => deeds.push('other'))
    return ''
  }
  const { '/': page } = readyPages({ '/': async () => ({ headers: {}, answer }) })
  await Promise.all([ask(page, []), ask(page, []), ask(page, [])])
  await anotherTurn()
  expect(deeds).toEqual(['page', 'other', 'page', 'other', 'page', 'other'])
})

it('turns those away who are too many, until others have been answered', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const answer = () => opened.then(() => '')
  const { '/': page } = readyPages({ '/': async () => ({ headers: {}, answer }) })
  const statuses: number[] = []
  const asked = Array.from({ length: 40 }, () => ask(page, statuses))
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 503))
  open()
  await Promise.all(asked)
  expect(statuses.filter((status) => status === 200)).toHaveLength(32)
  await ask(page, statuses)
  expect(statuses.at(-1)).toBe(200)
})
