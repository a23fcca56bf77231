import { expect, it } from 'vitest'
import { createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import type { HttpSite } from '../site.ts'

async function share() {
  const created = createSites(2)
  const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
  await a.node?.open()
  created.pass(5)
  await b.node?.open()
  const ids = ({ rollCall }: HttpSite) => rollCall.list().map(({ id }) => id)
  return { ...created, a, b, ids, own: [a.node?.id, b.node?.id] as const }
}

it('knows nobody where there are no others', () => {
  expect(firstOf(createSites(1).sites).rollCall.list()).toEqual([])
})

it('names this node first, and then those who answer, with what they have to do', async () => {
  const { a, b, ids, own } = await share()
  await openSession(b, 's')
  ids(a)
  await settled()
  expect(a.rollCall.list()).toMatchObject([
    { id: own[0], since: 1000, calls: 0, sessions: 0 },
    { id: own[1], since: 1005, calls: 0, sessions: 1 },
  ])
  ids(b)
  await settled()
  expect(ids(b)).toEqual([own[1], own[0]])
})

it('has the oldest of the others first, and says what troubles one', async () => {
  const { a, b, own } = await share()
  await b.node?.close()
  a.rollCall.heard({ id: 'young', since: 9, calls: 0, sessions: 0 })
  a.rollCall.heard({ id: 'old', since: 1, calls: 0, sessions: 0, trouble: 'full' })
  expect(a.rollCall.list().map(({ id, trouble }) => [id, trouble])).toEqual([
    [own[0], undefined],
    ['old', 'full'],
    ['young', undefined],
  ])
  Object.assign(a.node ?? {}, { trouble: 'away' })
  expect(a.rollCall.list()[0]).toMatchObject({ trouble: 'away' })
})

it('asks again after two and a half seconds, and forgets who has not answered for ten', async () => {
  const { a, pass } = await share()
  const asked: unknown[] = []
  Object.assign(a.node ?? {}, { sendAll: async (message: unknown) => void asked.push(message) })
  a.rollCall.heard({ id: 'other', since: 1, calls: 0, sessions: 0 })
  a.rollCall.list()
  pass(2499)
  a.rollCall.list()
  expect(asked).toEqual([{ kind: 'roll-call' }])
  pass(1)
  a.rollCall.list()
  expect(asked).toHaveLength(2)
  pass(7500)
  expect(a.rollCall.list()).toHaveLength(2)
  pass(1)
  expect(a.rollCall.list()).toHaveLength(1)
})

it('is left by who says goodbye', async () => {
  const { a, b, ids } = await share()
  ids(a)
  await settled()
  expect(ids(a)).toHaveLength(2)
  await b.rollCall.leave()
  await settled()
  expect(ids(a)).toHaveLength(1)
})
