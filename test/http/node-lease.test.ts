import { expect, it } from 'vitest'
import type { Store } from '../../src/kernel/index.ts'
import { createPlatform } from '../../src/platform/index.ts'
import { createValidator } from '../../src/schema/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { Node } from '../../src/transports/http/nodes/node.ts'

const OTHER = '0123456789'

/** Nodes whose clock is ours, on a store that can be away. */
function createNodes() {
  const timers = new Map<() => void, number>()
  let [now, away, deaf, mute] = [0, false, false, false]
  let leases = 0
  let written = Promise.resolve()
  const kept = new MemoryStore({ now: () => now })
  const store: Store = new Proxy(kept, {
    get: (target, name: keyof Store) => {
      const member = (target[name] as (...args: unknown[]) => unknown).bind(target) // Every member of a store is a method.
      if ((name === 'put' && away) || (name === 'subscribe' && deaf) || (name === 'publish' && mute))
        return () => Promise.reject(new Error('away'))
      if (name !== 'put') return member
      return async (...args: unknown[]) => {
        leases++
        await written
        return member(...args)
      }
    },
  })
  const after = (milliseconds: number, run: () => void) => {
    timers.set(run, now + milliseconds)
    return () => void timers.delete(run)
  }
  const validator = createValidator()
  const platform = { ...createPlatform({ store, validator, secrets: [] }), now: () => now, after }
  const create = () => new Node({ store, platform, heard: () => true, missed() {}, failed() {}, noted() {} })
  const open = async () => {
    const node = create()
    await node.open()
    return node
  }
  const pass = async (milliseconds: number) => {
    const until = now + milliseconds
    while (now < until) {
      now = Math.min(until, now + 500)
      for (const [run, at] of [...timers]) {
        if (at > now) continue
        timers.delete(run)
        run()
      }
      await new Promise(setImmediate)
    }
  }
  const setAway = (value: boolean) => {
    away = value
  }
  const setDeaf = (value: boolean) => {
    deaf = value
  }
  const setMute = (value: boolean) => {
    mute = value
  }
  /** Nothing is written until the function given back is called. */
  const holdUp = () => {
    let goOn = () => {}
    written = new Promise((resolve) => {
      goOn = resolve
    })
    return goOn
  }
  return { create, open, pass, setAway, setDeaf, setMute, holdUp, kept, leases: () => leases }
}

it('takes a node without a lease for dead, also where it was started after that', async () => {
  const { open, pass } = createNodes()
  const node = await open()
  await pass(6000)
  expect(await node.isAlive(OTHER)).toBe(false)
})

it('takes nobody for dead whose lease may have run out because the store was away', async () => {
  const { open, pass, setAway } = createNodes()
  const node = await open()
  await pass(11_000)
  setAway(true)
  await pass(10_000)
  setAway(false)
  expect(await node.isAlive(OTHER)).toBe(true)
  await pass(9000)
  expect(await node.isAlive(OTHER)).toBe(true)
  await pass(4000)
  expect(await node.isAlive(OTHER)).toBe(false)
})

it('is told by older nodes that the store was away before it began', async () => {
  const { open, pass, setAway } = createNodes()
  await open()
  await pass(11_000)
  setAway(true)
  await pass(10_000)
  setAway(false)
  const young = await open()
  await pass(6000)
  expect(await young.isAlive(OTHER)).toBe(true)
  await pass(7000)
  expect(await young.isAlive(OTHER)).toBe(false)
})

it('renews one lease, however often it could not be opened before', async () => {
  const { create, pass, setDeaf, leases } = createNodes()
  const node = create()
  setDeaf(true)
  for (let tries = 0; tries < 5; tries++) await expect(node.open()).rejects.toThrow('away')
  setDeaf(false)
  await node.open()
  const before = leases()
  await pass(10_000)
  expect(leases() - before).toBe(4)
})

it('renews nothing once it is closed, also where that was on its way', async () => {
  const { open, pass, holdUp, kept, leases } = createNodes()
  const node = await open()
  const goOn = holdUp()
  await pass(2500)
  const closed = node.close()
  goOn()
  await closed
  const before = leases()
  await pass(20_000)
  expect(leases()).toBe(before)
  expect(await kept.get(`node/${node.id}`)).toBe(undefined)
})

it('says so at once when the store does not take what is for another node', async () => {
  const { open, setMute } = createNodes()
  const node = await open()
  setMute(true)
  await expect(node.send(OTHER, { kind: 'used', session: 's' })).rejects.toThrow('away')
  await expect(node.sendAll({ kind: 'used', session: 's' })).rejects.toThrow('away')
})
