import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { Call } from '../calls/call.ts'
import type { Platform } from '../ports/platform.ts'
import type { Store } from '../ports/store.ts'
import { Lease } from './lease.ts'
import type { TaskRecord } from './record.ts'

/** A process at work on a task, whose clock stands still until it is told to go on. */
async function atWork(put: (ttlMs: number | undefined) => void = () => {}) {
  const kept = new MemoryStore()
  let waiting: { readonly after: number; readonly run: () => void }[] = []
  let time = 0
  const { platform: real } = defineServer({ name: 's', version: '1' })
  const platform = {
    ...real,
    now: () => time,
    after: (milliseconds: number, run: () => void) => {
      const one = { after: milliseconds, run }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
  }
  const store: Store = {
    shared: false,
    touch: (key, ttlMs) => kept.touch(key, ttlMs),
    take: (bucket, rate) => kept.take(bucket, rate),
    enter: (group, member, options) => kept.enter(group, member, options),
    leave: (group, member) => kept.leave(group, member),
    trouble: () => undefined,
    get: (key) => kept.get(key),
    delete: (key) => kept.delete(key),
    append: (log, value, options) => kept.append(log, value, options),
    read: (log, after, limit) => kept.read(log, after, limit),
    publish: (topic, message) => kept.publish(topic, message),
    subscribe: (topic, listener) => kept.subscribe(topic, listener),
    close: () => kept.close(),
    put: async (key, value, options) => {
      put(options?.ttlMs)
      return kept.put(key, value, options)
    },
  }
  const lease = new Lease({ platform, store, watch: async () => () => {} })
  await lease.hold({ id: 't', createdAt: 0, ttlMs: null } as TaskRecord, {} as Call) // It looks at nothing else.
  return {
    lease,
    waiting: () => waiting.map(({ after }) => after),
    /** Lets the time pass until whatever waits is due, which is at this time. */
    goOn: async (at = time) => {
      time = at
      const due = waiting
      waiting = []
      for (const { run } of due) run()
      await new Promise(setImmediate)
    },
  }
}

it('says that it is alive several times while it counts as alive', async () => {
  const leases: (number | undefined)[] = []
  const { waiting, goOn } = await atWork((ttlMs) => leases.push(ttlMs))
  await goOn()
  await goOn()
  expect(leases).toHaveLength(3)
  const [beat = 0] = waiting()
  expect(beat).toBeGreaterThan(0)
  for (const lease of leases) expect(lease).toBeGreaterThanOrEqual(3 * beat)
})

it('goes on saying so after the store has failed to hear it', async () => {
  let beats = 0
  const { goOn, waiting, lease } = await atWork(() => {
    beats++
    if (beats === 2 || beats === 3) throw new Error('The store is away')
  })
  for (let round = 0; round < 4; round++) await goOn()
  expect(beats).toBe(5)
  lease.release('t')
  expect(waiting()).toEqual([])
})

it('goes on saying so while one of its tasks is left', async () => {
  const { lease, waiting } = await atWork()
  await lease.hold({ id: 'u', createdAt: 0, ttlMs: null } as TaskRecord, {} as Call) // It looks at nothing else.
  lease.release('u')
  expect(waiting()).toHaveLength(1)
  lease.release('t')
  expect(waiting()).toEqual([])
})

it('says so once for tasks that begin at the same time', async () => {
  const { lease, waiting } = await atWork()
  lease.release('t')
  const hold = (id: string) => lease.hold({ id, createdAt: 0, ttlMs: null } as TaskRecord, {} as Call) // It looks at nothing else.
  await Promise.all([hold('u'), hold('v')])
  expect(waiting()).toHaveLength(1)
})

it('calls off a task that has outlived its time once, and lets go of it', async () => {
  const { lease, goOn } = await atWork()
  let calledOff = 0
  const call = { abort: () => calledOff++, stop: () => {} }
  await lease.hold({ id: 'u', createdAt: 0, ttlMs: 1000 } as TaskRecord, call) // It looks at nothing else.
  await goOn(999)
  expect([calledOff, lease.has('u')]).toEqual([0, true])
  await goOn(1000)
  expect([calledOff, lease.has('u'), lease.has('t')]).toEqual([1, false, true])
  await goOn(1001)
  expect(calledOff).toBe(1)
})

it('has nobody to say goodbye to where it is at work on nothing', async () => {
  let said = 0
  const { lease } = await atWork(() => said++)
  const { node } = lease
  lease.release('t')
  expect(await lease.close()).toEqual([])
  expect([said, lease.node]).toEqual([1, node])
})

/** Somebody who looks at tasks of others, with a clock and a store of the test's own. */
function looking(kept: MemoryStore) {
  let [now, away] = [0, false]
  const { platform: real } = defineServer({ name: 's', version: '1' })
  const store: Store = new Proxy(kept, {
    get: (target, name: keyof Store) => {
      if (name === 'shared') return true
      const member = target[name] as (...args: unknown[]) => Promise<unknown> // What else is asked of it here.
      return away ? () => Promise.reject(new Error('away')) : member.bind(target)
    },
  })
  const platform: Platform = { ...real, store, now: () => now }
  const lease = new Lease({ platform, store, watch: async () => () => {} })
  return {
    isAlive: () => lease.isAlive({ id: 't', node: 'other' } as TaskRecord), // It looks at nothing else.
    setAway: (value: boolean) => {
      away = value
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

it('takes nobody for dead whose lease may have run out because the store was away', async () => {
  const kept = new MemoryStore()
  const { isAlive, setAway, pass } = looking(kept)
  expect(await isAlive()).toBe(true)
  pass(4000)
  setAway(true)
  await expect(isAlive()).rejects.toThrow('away')
  pass(20_000)
  setAway(false)
  expect(await isAlive(), 'it is back, and others have yet to say so').toBe(true)
  pass(4000)
  await kept.put('task-nodes/other', true, { ttlMs: 1000 })
  expect(await isAlive()).toBe(true)
  await kept.delete('task-nodes/other')
  pass(4000)
  expect(await isAlive()).toBe(true)
  pass(4999)
  expect(await isAlive()).toBe(true)
  pass(1)
  expect(await isAlive()).toBe(false)
})

it('takes whoever has said goodbye for gone at once', async () => {
  const kept = new MemoryStore()
  await kept.put('task-nodes/other', false)
  expect(await looking(kept).isAlive()).toBe(false)
})
