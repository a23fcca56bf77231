import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { Json, Store } from '../../../kernel/index.ts'
import { createPlatform } from '../../../platform/index.ts'
import { createValidator } from '../../../schema/index.ts'
import { MemoryStore } from '../../../stores/memory.ts'
import type { NodeMessage } from './messages.ts'
import { Node, nodeOf } from './node.ts'

const MESSAGE: NodeMessage = { kind: 'used', session: 's' }

/** A store whose clock is ours, and whose lease and mail may be refused. */
function createSite() {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  let now = 1_000_000
  const refused = new Set<keyof Store>()
  const kept = new MemoryStore({ now: () => now })
  const store: Store = new Proxy(kept, {
    get: (target, name: keyof Store) =>
      refused.has(name)
        ? () => Promise.reject(new Error('away'))
        : (target[name] as (...args: unknown[]) => unknown).bind(target), // Every member of a store is a method.
  })
  const after = (milliseconds: number, run: () => void) => {
    const timer = { at: now + milliseconds, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const platform = {
    ...createPlatform({ store, validator: createValidator(), secrets: [] }),
    now: () => now,
    after,
  }
  const pass = async (milliseconds: number) => {
    for (const until = now + milliseconds; now < until; ) {
      now = Math.min(until, now + 250)
      for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.run()
      await settle()
    }
  }
  const create = (heard: (message: NodeMessage) => boolean = () => true) => {
    const [failures, notes]: [unknown[], (string | undefined)[]] = [[], []]
    let gaps = 0
    const node = new Node({
      store,
      platform,
      heard,
      missed: () => void gaps++,
      failed: (error) => void failures.push(error),
      noted: (trouble) => void notes.push(trouble),
    })
    return { node, failures, notes, gaps: () => gaps }
  }
  const open = async (heard?: (message: NodeMessage) => boolean) => {
    const created = create(heard)
    await created.node.open()
    return created
  }
  return { store, kept, refused, pass, create, open, timers }
}

const settle = () => new Promise(setImmediate)

it('hears whether another node has taken a message, or had no use for it', async () => {
  const { open, timers } = createSite()
  const { node } = await open()
  const heard: NodeMessage[] = []
  const { node: taking } = await open((message) => heard.push(message) > 0)
  const { node: busy } = await open(() => false)
  const before = timers.size
  expect(await node.send(taking.id, MESSAGE)).toBe('taken')
  expect(await node.send(busy.id, MESSAGE)).toBe('in vain')
  expect(heard).toEqual([MESSAGE])
  expect(timers.size).toBe(before)
})

it('keeps nothing of a message once it has been heard', async () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const { kept, open, timers } = createSite()
  const { node } = await open()
  const before = new Set(timers)
  const sent = node.send('0123456789', MESSAGE)
  const clocks = [...timers].filter((timer) => !before.has(timer)).map((timer) => new WeakRef(timer))
  expect(clocks).toHaveLength(1)
  await kept.publish(`node/${node.id}`, { from: '0123456789', heard: 1 })
  expect(await sent).toBe('taken')
  await settle() // A WeakRef holds on to what it was made of until then.
  gc()
  expect(clocks.filter((clock) => clock.deref() !== undefined)).toEqual([])
})

it('tells a node that is alive three times, a second apart, and one that is not once', async () => {
  const { kept, open, pass } = createSite()
  const { node } = await open()
  await pass(6000)
  let told = 0
  await kept.subscribe('node/0123456789', () => void told++)
  const vain = node.send('0123456789', MESSAGE)
  await settle()
  expect(told).toBe(1)
  await pass(1000)
  expect(await vain).toBe('not at all')
  expect(told).toBe(1)
  await kept.put('node/0123456789', true)
  const again = node.send('0123456789', MESSAGE)
  await pass(750)
  expect(told).toBe(2)
  await pass(2500)
  expect(await again).toBe('not at all')
  expect(told).toBe(4)
})

it('takes what it is told twice once, and says both times that it has', async () => {
  const { kept, open } = createSite()
  let taken = 0
  const { node } = await open(() => taken++ > 0)
  const answers: Json[] = []
  await kept.subscribe('node/other', (answer) => void answers.push(answer))
  const tell = (number: number) =>
    kept.publish(`node/${node.id}`, { from: 'other', number, message: { ...MESSAGE } })
  await tell(1)
  await tell(1)
  expect(taken).toBe(1)
  expect(answers).toEqual([
    { from: node.id, heard: 1, vain: true },
    { from: node.id, heard: 1 },
  ])
  for (let number = 2; number <= 1000; number++) await tell(number)
  await tell(1)
  expect(taken).toBe(1000)
  await tell(1001)
  await tell(1)
  expect(taken).toBe(1002)
})

it('hears what is for all without an answer, and nothing that it has said itself, unless who holds a stream', async () => {
  const { kept, open } = createSite()
  const heard: NodeMessage[] = []
  const { node } = await open((message) => heard.push(message) > 0)
  let answers = 0
  await kept.subscribe('node/other', () => void answers++)
  await kept.publish('nodes', { from: 'other', message: { ...MESSAGE } })
  await kept.publish('nodes', 'no letter')
  await kept.publish('nodes', { message: { ...MESSAGE } })
  await node.sendAll(MESSAGE)
  expect(heard).toEqual([MESSAGE])
  const held: NodeMessage = { kind: 'held', session: 's', by: node.id }
  await node.sendAll(held)
  expect(heard).toEqual([MESSAGE, held])
  expect(answers).toBe(0)
})

it('holds a lease that is renewed four times before it runs out, and gives it back', async () => {
  const { kept, open, pass } = createSite()
  const { node } = await open()
  await pass(60_000)
  expect(await kept.get(`node/${node.id}`)).toBeDefined()
  await node.close()
  expect(await kept.get(`node/${node.id}`)).toBe(undefined)
  await pass(60_000)
  expect(await kept.get(`node/${node.id}`)).toBe(undefined)
})

it('that is closed while it is being opened holds no lease, and hears nothing', async () => {
  const { kept, create, refused, timers } = createSite()
  const heard: NodeMessage[] = []
  const { node } = create((message) => heard.push(message) > 0)
  const opening = node.open()
  await node.close()
  await opening
  await kept.publish('nodes', { from: 'other', message: { ...MESSAGE } })
  expect([heard, await kept.get(`node/${node.id}`), timers.size]).toEqual([[], undefined, 0])
  const { node: failing } = create()
  refused.add('subscribe')
  const failed = failing.open()
  await failing.close()
  await expect(failed).rejects.toThrow('away')
})

it('counts as alive for ten seconds after it was last heard of', async () => {
  const { refused, open, pass } = createSite()
  const { node } = await open()
  const { node: mute } = await open()
  await pass(20_000)
  expect(await node.isAlive(mute.id)).toBe(true)
  expect(await node.isAlive('0123456789')).toBe(false)
  refused.add('delete')
  await mute.close()
  refused.delete('delete')
  await pass(9_500)
  expect(await node.isAlive(mute.id)).toBe(true)
  await pass(1000)
  expect(await node.isAlive(mute.id)).toBe(false)
})

it('takes nobody for dead for the first five seconds, and itself never', async () => {
  const { open, pass } = createSite()
  const { node } = await open()
  expect(await node.isAlive('0123456789')).toBe(true)
  await pass(4750)
  expect(await node.isAlive('0123456789')).toBe(true)
  await pass(250)
  expect(await node.isAlive('0123456789')).toBe(false)
  await node.close()
  await pass(60_000)
  expect(await node.isAlive(node.id)).toBe(true)
})

it('takes nobody for dead while its own lease is more than five seconds old', async () => {
  const { refused, open, pass } = createSite()
  const { node } = await open()
  await pass(10_000)
  refused.add('put')
  await pass(5000)
  expect(await node.isAlive('0123456789')).toBe(false)
  await pass(250)
  expect(await node.isAlive('0123456789')).toBe(true)
})

it('says once that its lease is not taken and why, and once that it is again', async () => {
  const { kept, refused, open, pass } = createSite()
  const { node, failures, notes } = await open()
  expect(node.trouble).toBe(undefined)
  refused.add('put')
  await pass(7500)
  expect(notes).toEqual(['away'])
  expect(node.trouble).toBe('away')
  expect(failures).toHaveLength(11)
  expect(await kept.get('nodes/away')).toBe(undefined)
  refused.delete('put')
  await pass(500)
  expect(notes).toEqual(['away', undefined])
  expect(node.trouble).toBe(undefined)
  expect(await kept.get('nodes/away')).toBeDefined()
})

it('says nothing of the store having been away when it begins, or when a beat came five seconds after another', async () => {
  const { kept, refused, open, pass } = createSite()
  await open()
  expect(await kept.get('nodes/away')).toBe(undefined)
  refused.add('put')
  await pass(4750)
  refused.delete('put')
  await pass(250)
  expect(await kept.get('nodes/away')).toBe(undefined)
})

it('goes on trying to say that the store was away until it is taken', async () => {
  const { kept, refused, open, pass } = createSite()
  const { node } = await open()
  refused.add('put')
  await pass(7500)
  refused.delete('put')
  const { put } = kept
  kept.put = async (key, ...rest) => {
    if (key === 'nodes/away') throw new Error('full')
    return put.call(kept, key, ...rest)
  }
  await pass(500)
  expect(node.trouble).toBe('full')
  kept.put = put
  await pass(500)
  expect(node.trouble).toBe(undefined)
  expect(await kept.get('nodes/away')).toBeDefined()
})

it('gives its lease back after it has been renewed, not before', async () => {
  const { kept, open, pass } = createSite()
  const { node } = await open()
  await pass(2250)
  const { put } = kept
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  kept.put = async (...args) => {
    await held
    return put.apply(kept, args)
  }
  await pass(250)
  const closed = node.close()
  await settle()
  letGo()
  await closed
  await settle()
  expect(await kept.get(`node/${node.id}`)).toBe(undefined)
})

it('says at once that it cannot tell another node anything', async () => {
  const { refused, open } = createSite()
  const { node } = await open()
  refused.add('publish')
  await expect(node.send('0123456789', MESSAGE)).rejects.toThrow('away')
})

it('belongs to the node whose name it begins with', () => {
  expect(nodeOf('0123456789-12')).toBe('0123456789')
  expect(nodeOf('abcdef0123.1')).toBe('abcdef0123')
  expect(nodeOf('12')).toBe(undefined)
})
