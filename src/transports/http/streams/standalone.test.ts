import { describe, expect, it } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { adoptSession, createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import { SlowMotion } from '../../../../test/setup/slow-motion.ts'
import type { NodeMessage } from '../nodes/messages.ts'
import type { HttpSettings } from '../settings.ts'
import type { HttpSite } from '../site.ts'
import { logOf } from './logged-events.ts'

const LOG = logOf('s', '0')
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const

const step = (number: number) => ({ jsonrpc: '2.0', method: `step ${number}` }) as const
const told = (number: number, said: object = step(number)) => `id: 0:${number}\ndata: ${JSON.stringify(said)}`

async function alone() {
  const created = createSites(1)
  const site = firstOf(created.sites)
  const session = await openSession(site, 's')
  return { ...created, site, standalone: session.standalone }
}

/** A session that two nodes know. */
async function share(settings: Partial<HttpSettings> = {}) {
  const created = createSites(2, settings)
  const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
  await Promise.all([a.node?.open(), b.node?.open()])
  const ours = (await openSession(a, 's')).standalone
  const theirs = (await adoptSession(b, 's')).standalone
  return { ...created, a, b, ours, theirs }
}

/** Hears what a node says to all others, who do not. */
function silence({ node }: HttpSite): NodeMessage[] {
  const said: NodeMessage[] = []
  const sendAll = async (message: NodeMessage) => void said.push(message)
  if (node !== undefined) Object.assign(node, { sendAll })
  return said
}

const OTHER = '0123456789'

describe('of a session on one server', () => {
  it('is there at once, and has seen what it has said', async () => {
    const { standalone, site } = await alone()
    const reader = createReader()
    expect(standalone.open(reader.exchange, { 'x-more': '1' })).toBe(undefined)
    await settled()
    standalone.send(step(1))
    expect(reader.heard).toEqual([told(1)])
    expect(reader.headers).toMatchObject({ 'x-more': '1' })
    expect([standalone.has(0), standalone.has(1), standalone.has(2)]).toEqual([true, true, false])
    expect([standalone.connected, standalone.told]).toEqual([true, site.server.changes.told])
    reader.leave()
    expect(standalone.connected).toBe(false)
    standalone.send(step(2))
    expect(standalone.told).toBe(-1)
  })

  it('tells a client that comes back what it has missed', async () => {
    const { standalone } = await alone()
    const [first, second] = [createReader(), createReader()]
    await standalone.open(first.exchange, {})
    await settled()
    for (const number of [1, 2, 3]) standalone.send(step(number))
    await standalone.resume(second.exchange, {}, 1)
    await settled()
    expect(second.heard).toEqual([told(2), told(3)])
    expect(first.heard.at(-1)).toBe('end')
  })

  it('that goes on by its record may have been heard up to any number, and goes on from there', async () => {
    const { standalone } = await alone()
    standalone.restored(false)
    expect(standalone.has(7)).toBe(true)
    const reader = createReader()
    await standalone.resume(reader.exchange, {}, 7)
    standalone.send(step(8))
    await settled()
    expect(reader.heard).toEqual([told(8)])
  })

  it.each([
    ['while it was a record', true, 0],
    ['since it goes on', false, 1],
  ])('tells that anything may have changed where something has %s', async (_when, missed, changes) => {
    const { standalone, site } = await alone()
    const reader = createReader()
    standalone.restored(missed)
    for (let count = 0; count < changes; count++) standalone.send(CHANGED)
    expect(standalone.told).toBe(-1)
    await standalone.open(reader.exchange, {})
    await settled()
    expect(reader.heard.join()).toContain('notifications/tools/list_changed')
    expect(standalone.told).toBe(site.server.changes.told)
  })

  it('tells of no change where there was none', async () => {
    const { standalone, site } = await alone()
    const reader = createReader()
    standalone.restored(false)
    await standalone.open(reader.exchange, {})
    await settled()
    expect([reader.heard, standalone.told]).toEqual([[], site.server.changes.told])
  })
})

describe('of a session on two nodes', () => {
  it('hears from the other node what belongs to no call, and of changes by itself', async () => {
    const { ours, theirs, kept } = await share()
    const reader = createReader()
    await theirs.open(reader.exchange, {})
    await settled()
    ours.send(step(1))
    ours.send(CHANGED)
    await settled()
    expect(reader.heard).toEqual([told(1)])
    theirs.send(CHANGED)
    expect(reader.heard.at(-1)).toBe(told(2, CHANGED))
    expect(await kept.read(LOG, 0, 9)).toHaveLength(1)
  })

  it('is kept by nobody before its client has listened', async () => {
    const { ours, theirs, kept } = await share()
    ours.send(step(1))
    theirs.receive(step(2))
    await settled()
    expect(await kept.read(LOG, 0, 9)).toEqual([])
  })

  it('is where its client was last', async () => {
    const { ours, theirs } = await share()
    const [first, second, third] = [createReader(), createReader(), createReader()]
    await ours.open(first.exchange, {})
    await theirs.open(second.exchange, {})
    await settled()
    expect([first.heard, ours.connected, theirs.connected]).toEqual([['end'], false, true])
    await ours.resume(third.exchange, {}, 0)
    await settled()
    expect([second.heard, ours.connected, theirs.connected]).toEqual([['end'], true, false])
  })

  it('goes on after a number that it has not told itself', async () => {
    const { ours } = await share({ successor: true })
    const [first, second] = [createReader(), createReader()]
    await ours.open(first.exchange, {})
    expect(ours.has(99)).toBe(true)
    await ours.resume(second.exchange, {}, 7)
    ours.send(step(8))
    await settled()
    expect([first.heard, second.heard]).toEqual([['end'], [told(8)]])
  })

  it.each(['open', 'resume'] as const)(
    'has read what the other node has kept when it goes on: %s',
    async (how) => {
      const { b, ours, theirs } = await share({ successor: true })
      await ours.open(createReader().exchange, {})
      for (const number of [1, 2]) ours.send(step(number))
      await settled()
      const slow = new SlowMotion().slowStore(b.store)
      const reader = createReader()
      await theirs[how](reader.exchange, {}, 2)
      expect(reader.headers).toBeDefined()
      theirs.send(step(3))
      await slow.rest()
      expect(reader.heard.at(-1)).toBe(told(3))
    },
  )

  it('says that anything may have changed to a client that comes from another node', async () => {
    const { ours } = await share()
    const reader = createReader()
    await ours.resume(reader.exchange, {}, 7)
    await settled()
    expect(reader.heard.join()).toContain('notifications/tools/list_changed')
  })

  it('goes on as it is for a client that comes back here with all that was told', async () => {
    const { a, ours } = await share()
    const [first, second] = [createReader(), createReader()]
    await ours.open(first.exchange, {})
    ours.send(step(1))
    await settled()
    const said = silence(a)
    await ours.resume(second.exchange, {}, 1)
    ours.send(step(2))
    await settled()
    expect([second.heard, said]).toEqual([[told(2)], []])
  })

  it('is taken over once for all who ask for it at the same time, and again when it was elsewhere', async () => {
    const { a, ours } = await share()
    const said = silence(a)
    const open = () => ours.open(createReader().exchange, {})
    await Promise.all([open(), open()])
    expect(said).toEqual([{ kind: 'held', session: 's', by: a.node?.id }])
    ours.deafened()
    ours.heardOf(OTHER)
    await open()
    expect(said).toHaveLength(2)
  })

  it('leaves it to another node that has said so after us, and not to one before', async () => {
    const { a, ours } = await share()
    const reader = createReader()
    silence(a)
    ours.heardOf(String(a.node?.id))
    await ours.open(reader.exchange, {})
    ours.heardOf(OTHER)
    expect(ours.connected).toBe(true)
    ours.heardOf(String(a.node?.id))
    expect(ours.connected).toBe(true)
    ours.heardOf(OTHER)
    expect([ours.connected, reader.heard]).toEqual([false, ['end']])
  })

  it('does not leave it to another node before it has heard itself as often as it has said so', async () => {
    const { a, ours } = await share({ successor: true })
    silence(a)
    await ours.open(createReader().exchange, {})
    await ours.resume(createReader().exchange, {}, 7)
    for (const connected of [true, false]) {
      ours.heardOf(String(a.node?.id))
      ours.heardOf(OTHER)
      expect(ours.connected).toBe(connected)
    }
  })

  it('believes another node where its own word may not have been heard', async () => {
    const { a, ours, observed } = await share()
    Object.assign(a.node ?? {}, { sendAll: () => Promise.reject(new Error('away')) })
    await ours.open(createReader().exchange, {})
    await settled()
    expect(observed).toContainEqual(expect.objectContaining({ kind: 'crashed', method: 'stream' }))
    ours.heardOf(OTHER)
    expect(ours.connected).toBe(false)
  })
})
