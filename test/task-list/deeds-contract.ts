import { describe, expect, it } from 'vitest'
import { MAX_ENTRIES } from '../../src/modules/task-list/history.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import type { TaskFilter, TaskStore } from '../../src/modules/task-list/task-store.ts'
import { aTask, type Open } from './contract.ts'

const T1 = '2026-11-15T09:00:00.000Z'
const T2 = '2026-11-15T10:00:00.000Z'
const T3 = '2026-11-15T11:00:00.000Z'

/** What every store must do where several share a list: claims, links, the bin, the history, and searching. */
export function describeDeeds(name: string, open: Open): void {
  describe(`tasks that are shared in ${name}`, () => {
    const holds = (behaviour: string, body: (store: TaskStore) => Promise<void>) => {
      it(behaviour, async (context) => {
        const store = await open(context)
        try {
          await body(store)
        } finally {
          await store.close()
        }
      })
    }

    holds('changes a task only if it is as its changer knows it', async (store) => {
      const task = await added(store)
      const first = { id: task.id, at: T1, expected: task.updatedAt }
      const changed = await store.update({ ...first, changes: { priority: 'high' } })
      await expect(store.update({ ...first, changes: { priority: 'low' } })).rejects.toThrow(
        `error: task ${task.id} has changed: it was last changed at ${changed?.updatedAt}, and ${task.updatedAt} was expected`,
      )
      await expect(store.delete(first)).rejects.toThrow('has changed')
      expect(await store.get(task.id)).toEqual({ ...task, priority: 'high', updatedAt: T1 })
    })

    holds('gives no two states of a task the same time', async (store) => {
      const { id } = await added(store)
      const times = new Set<string | undefined>()
      for (const description of ['a', 'b', 'c'])
        times.add((await store.update({ id, at: T1, changes: { description } }))?.updatedAt)
      expect(times.size).toBe(3)
    })

    holds('of many who expect the same, one changes it', async (store) => {
      const { id, updatedAt: expected } = await added(store)
      const all = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) =>
          store.update({ id, at: T1, expected, changes: { description: `${n}` } }),
        ),
      )
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    holds('gives a task to one of many who claim it, until its time is over', async (store) => {
      const { id } = await added(store)
      const agents = Array.from({ length: 10 }, (_, n) => `agent ${n}`)
      const claims = await Promise.allSettled(agents.map((by) => store.claim({ id, by, at: T1, until: T2 })))
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const { claimedBy, ...claimed } = (await store.get(id)) ?? aTask()
      expect(claimed).toMatchObject({ status: 'in_progress', claimedUntil: T2 })
      const refused = claims.find(({ status }) => status === 'rejected') as PromiseRejectedResult
      expect(refused.reason.message).toBe(
        `error: task ${id} is claimed by ${claimedBy} until ${T2}: choose another, or wait until then`,
      )
      expect(await store.claim({ id, by: 'late', at: T2, until: T3 })).toMatchObject({ claimedBy: 'late' })
    })

    holds('lets a claim be renewed, given back, and ended by closing the task', async (store) => {
      const { id } = await added(store)
      await store.claim({ id, by: 'a', at: T1, until: T2 })
      expect(await store.claim({ id, by: 'a', at: T1, until: T3 })).toMatchObject({ claimedUntil: T3 })
      await expect(store.claim({ id, by: 'b', at: T1, until: null })).rejects.toThrow('claimed by a')
      const released = await store.claim({ id, by: 'a', at: T1, until: null })
      expect(released).toMatchObject({ status: 'pending' })
      expect(released).not.toHaveProperty('claimedBy')
      await store.claim({ id, by: 'b', at: T1, until: T2 })
      expect(await store.update({ id, at: T1, changes: { status: 'done' } })).not.toHaveProperty('claimedBy')
      await expect(store.claim({ id, by: 'b', at: T1, until: T2 })).rejects.toThrow(`task ${id} is done`)
      expect(await store.claim({ id: 'task_nothing', by: 'b', at: T1, until: T2 })).toBeUndefined()
    })

    holds('gives nobody a task that something open blocks', async (store) => {
      const first = await added(store)
      const second = await added(store, { blockedBy: [first.id] })
      const claim = () => store.claim({ id: second.id, by: 'a', at: T1, until: T2 })
      await expect(claim()).rejects.toThrow(`error: task ${second.id} is blocked by ${first.id}`)
      await store.update({ id: first.id, at: T1, changes: { status: 'done' } })
      expect(await claim()).toMatchObject({ claimedBy: 'a', blockedBy: [first.id] })
    })

    holds('lists what is ready: open, unclaimed, unblocked', async (store) => {
      const blocker = await added(store)
      const blocked = await added(store, { blockedBy: [blocker.id] })
      const claimed = await added(store)
      const begun = await added(store)
      await store.claim({ id: claimed.id, by: 'a', at: T1, until: T2 })
      await store.update({ id: begun.id, at: T1, changes: { status: 'in_progress' } })
      const ready = (readyAt: string) => ids(store, { readyAt, statuses: ['pending', 'in_progress'] })
      expect(await ready(T1)).toEqual([blocker.id])
      expect(await ready(T2)).toEqual([claimed.id, blocker.id])
      await store.delete({ id: blocker.id, at: T1 })
      expect(await ready(T1)).toEqual([blocked.id])
    })

    holds('knows the parts of a task', async (store) => {
      const whole = await added(store)
      const [one, two] = [await added(store, { parent: whole.id }), await added(store, { parent: whole.id })]
      await added(store)
      expect(await ids(store, { parent: whole.id })).toEqual([two.id, one.id])
      await store.update({ id: one.id, at: T1, changes: { status: 'done' } })
      expect(await ids(store, { parent: whole.id, statuses: ['pending', 'in_progress'] })).toEqual([two.id])
      expect(await ids(store, { parent: whole.id, text: 'parser' })).toEqual([two.id, one.id])
      expect(await store.update({ id: two.id, at: T1, changes: { parent: null } })).not.toHaveProperty(
        'parent',
      )
      expect(await ids(store, { parent: whole.id })).toEqual([one.id])
    })

    holds('refuses links to nothing, to oneself and in a circle', async (store) => {
      const [a, b, c] = [await added(store), await added(store), await added(store)]
      const block = (task: Task, ...blockedBy: readonly string[]) =>
        store.update({ id: task.id, at: T1, changes: { blockedBy } })
      await expect(block(a, 'task_nothing')).rejects.toThrow(
        'blocked_by: expected ids of tasks that are there, got task_nothing',
      )
      await expect(added(store, { parent: 'task_nothing' })).rejects.toThrow('parent: expected ids')
      await expect(block(a, a.id)).rejects.toThrow('blocked_by: expected no circle')
      await block(a, b.id)
      await block(b, c.id)
      await expect(block(c, a.id)).rejects.toThrow(`${a.id} would come back to ${c.id}`)
      await store.delete({ id: b.id, at: T1 })
      await expect(block(c, a.id)).rejects.toThrow('expected no circle')
      await expect(block(c, b.id)).rejects.toThrow(`got ${b.id}`)
      expect(await store.get(c.id)).toEqual(c)
      await store.update({ id: a.id, at: T1, changes: { parent: c.id } })
      await expect(store.update({ id: c.id, at: T1, changes: { parent: a.id } })).rejects.toThrow(
        'parent: expected no circle',
      )
      expect(await block(a)).not.toHaveProperty('blockedBy')
    })

    holds('lets no circle arise of links that are made at the same time', async (store) => {
      for (let round = 0; round < 5; round++) {
        const [a, b, c] = [await added(store), await added(store), await added(store)]
        const links = [
          [a, b],
          [b, c],
          [c, a],
        ] as const
        const made = await Promise.allSettled(
          links.map(([task, on]) => store.update({ id: task.id, at: T1, changes: { blockedBy: [on.id] } })),
        )
        expect(made.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      }
    })

    holds('brings back what was deleted, in its place, for thirty days', async (store) => {
      const [one, two, three] = [await added(store), await added(store), await added(store)]
      await store.claim({ id: two.id, by: 'a', at: T1, until: T3 })
      await store.delete({ id: two.id, at: '2026-11-15T12:00:00.000Z' })
      expect(await ids(store, { text: 'parser' })).toEqual([three.id, one.id])
      const restore = (at: string) => store.restore({ id: two.id, at })
      expect(await restore('2026-12-15T12:00:00.001Z')).toBeUndefined()
      const back = await restore('2026-12-15T12:00:00.000Z')
      expect(back).toMatchObject({ description: two.description, status: 'pending' })
      expect(back).not.toHaveProperty('claimedBy')
      expect(await ids(store, { text: 'parser', readyAt: T3 })).toContain(two.id)
      expect(await store.get(two.id)).toEqual(back)
      expect(await ids(store, { text: 'parser' })).toEqual([three.id, two.id, one.id])
      expect(await restore(T3)).toBeUndefined()
      expect(await store.restore({ id: 'task_nothing', at: T3 })).toBeUndefined()
    })

    holds('writes down what becomes of a task', async (store) => {
      const { id } = await added(store)
      await store.update({ id, at: T1, by: 'editor', changes: { description: 'x'.repeat(500), tags: ['a'] } })
      await store.update({ id, at: T2, changes: { tags: ['a'] } })
      await store.claim({ id, by: 'agent', at: T2, until: T3 })
      await store.delete({ id, at: T3 })
      const history = await store.history(id)
      expect(history?.map(({ what, by }) => [what, by])).toEqual([
        ['deleted', undefined],
        ['claimed', 'agent'],
        ['changed', 'editor'],
        ['created', undefined],
      ])
      expect(history?.[2]).toEqual({
        at: T1,
        what: 'changed',
        by: 'editor',
        changes: [
          { field: 'description', from: 'Fix parser bug', to: `${'x'.repeat(200)}…` },
          { field: 'tags', from: null, to: 'a' },
        ],
      })
      expect(await store.history('task_nothing')).toBeUndefined()
    })

    holds('keeps the newest of a long history', async (store) => {
      const { id } = await added(store)
      for (let n = 0; n < MAX_ENTRIES + 5; n++)
        await store.update({ id, at: T1, changes: { description: `description ${n}` } })
      const history = await store.history(id)
      expect(history).toHaveLength(MAX_ENTRIES)
      expect(history?.[0]?.changes[0]?.to).toBe(`description ${MAX_ENTRIES + 4}`)
    })

    holds('finds words by their beginning, and letters where there are no spaces', async (store) => {
      const task = await added(store, {
        description: 'Re-index the e-mail_archive (v2.1), naïve: 東京都に行く',
      })
      for (const text of [
        'index',
        'ARCH',
        'v2',
        'v2.1',
        'naïve',
        '東京',
        '京都',
        '東京都',
        '行く',
        '都',
        'e-mail',
      ])
        expect(await ids(store, { text }), text).toEqual([task.id])
      for (const text of ['ndex', 'naive', '京東', 'archives', 'v3'])
        expect(await ids(store, { text }), text).toEqual([])
      await store.update({ id: task.id, at: T1, changes: { description: 'Something else' } })
      expect(await ids(store, { text: 'archive' })).toEqual([])
      expect(await ids(store, { text: 'else' })).toEqual([task.id])
    })

    holds('filters by everything at once', async (store) => {
      const wish = {
        description: 'Call Ann',
        tags: ['phone', 'ä b'],
        due: '2026-11-20',
        priority: 'high',
      } as const
      const task = await added(store, wish)
      await added(store, { ...wish, tags: ['phone'] })
      await added(store, { ...wish, due: '2026-11-21' })
      await added(store, { ...wish, description: 'Call Bob' })
      await added(store, { ...wish, priority: 'low' })
      const all = {
        text: 'ann',
        tag: 'ä b',
        priority: 'high',
        statuses: ['pending', 'done'],
        dueBefore: '2026-11-21T00:00:00.000Z',
      } as const
      expect(await ids(store, all)).toEqual([task.id])
      expect(await ids(store, { ...all, statuses: ['done'] })).toEqual([])
    })

    holds('compares dates with what clocks show, and times with the instant', async (store) => {
      const date = await added(store, { due: '2026-11-20' })
      const time = await added(store, { due: '2026-11-20T23:30:00Z' })
      const due = (dueBefore: string, datesBefore: string) => ids(store, { dueBefore, datesBefore })
      // Midnight in Berlin, and in Los Angeles.
      expect(await due('2026-11-20T23:00:00.000Z', '2026-11-21T00:00:00.000Z')).toEqual([date.id])
      expect(await due('2026-11-20T08:00:00.000Z', '2026-11-20T00:00:00.000Z')).toEqual([])
      expect(await due('2026-11-21T08:00:00.000Z', '2026-11-21T00:00:00.000Z')).toEqual([time.id, date.id])
    })
  })
}

async function added(store: TaskStore, wish: Parameters<typeof aTask>[0] = {}): Promise<Task> {
  const task = aTask(wish)
  await store.add(task)
  return task
}

async function ids(store: TaskStore, filter: TaskFilter): Promise<readonly string[]> {
  return (await store.list(filter, { limit: 100 })).tasks.map((task) => task.id)
}
