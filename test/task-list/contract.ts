import { describe, expect, it, type TestContext } from 'vitest'
import { createTask, type Task, type Wish } from '../../src/modules/task-list/task.ts'
import type { PageRequest, TaskFilter, TaskStore } from '../../src/modules/task-list/task-store.ts'

const T1 = '2026-11-15T08:00:00.000Z'
const T2 = '2026-11-15T09:00:00.000Z'
const T3 = '2026-11-15T10:00:00.000Z'

export function aTask(wish: Partial<Wish> = {}, at: string = T1): Task {
  return createTask({ description: 'Fix parser bug', priority: 'normal', due: null, tags: [], ...wish }, at)
}

/** Opens an empty store, or skips the test with the reason why there can be none. */
export type Open = (context: TestContext) => Promise<TaskStore>

/** What every store of tasks must do, whatever it is made of. */
export function describeTaskStore(name: string, open: Open): void {
  describe(`tasks in ${name}`, () => {
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

    holds('gives a task back as it came', async (store) => {
      const task = aTask({ due: '2026-11-20', tags: ['work', 'ä "quoted" \\ tag'], priority: 'urgent' })
      await store.add(task)
      expect(await store.get(task.id)).toEqual(task)
    })

    holds('keeps every letter', async (store) => {
      const description = 'Ünïcödé 🪐 \u202e ’"`\\\' $1 %_ \n\t{}; DROP TABLE task_list; --'
      const task = aTask({ description })
      await store.add(task)
      expect((await store.get(task.id))?.description).toBe(description)
    })

    holds('keeps a long description', async (store) => {
      const task = aTask({ description: 'ж'.repeat(10_000) })
      await store.add(task)
      expect(await store.get(task.id)).toEqual(task)
    })

    holds('knows nothing of other ids', async (store) => {
      await store.add(aTask())
      expect(await store.get('task_nothing')).toBeUndefined()
      expect(await store.update({ id: "task_' OR 1=1", changes: { status: 'done' }, at: T2 })).toBeUndefined()
      expect(await store.delete({ id: '', at: T3 })).toBeUndefined()
      expect((await store.list({}, { limit: 10 })).tasks).toHaveLength(1)
    })

    holds('lists the newest first', async (store) => {
      const tasks = await addMany(store, 5)
      expect(await ids(store)).toEqual(tasks.map(({ id }) => id).reverse())
    })

    holds('gives pages without a gap and says which is the last', async (store) => {
      const tasks = await addMany(store, 7)
      const pages = await allPages(store, {}, { limit: 3 })
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
      expect(pages.flat()).toEqual(tasks.map(({ id }) => id).reverse())
    })

    holds('has no page after one that ends with the last task', async (store) => {
      await addMany(store, 4)
      expect((await store.list({}, { limit: 4 })).next).toBeUndefined()
    })

    holds('ends a page with the task with which it has enough bytes', async (store) => {
      const tasks = Array.from({ length: 5 }, () => aTask({ description: '\u0001'.repeat(500) }))
      for (const task of tasks) await store.add(task)
      const all = tasks.map(({ id }) => id).reverse()
      for (const [bytes, sizes] of [
        [1, [1, 1, 1, 1, 1]],
        [3500, [2, 2, 1]],
        [1e6, [3, 2]],
      ] as const) {
        const pages = await allPages(store, {}, { limit: 3, bytes })
        expect(pages.map((page) => page.length)).toEqual(sizes)
        expect(pages.flat()).toEqual(all)
      }
    })

    holds('gives an empty list of nothing', async (store) => {
      expect(await store.list({}, { limit: 4 })).toEqual({ tasks: [], next: undefined })
    })

    holds('neither repeats nor loses a task while others come, change and go', async (store) => {
      const tasks = await addMany(store, 9)
      const seen: string[] = []
      let before: number | undefined
      for (let round = 0; round < 3; round++) {
        const page = await store.list({}, { limit: 3, ...(before !== undefined && { before }) })
        seen.push(...page.tasks.map(({ id }) => id))
        before = page.next
        await addMany(store, 2)
        // The task where the page ended, and one that is still to come.
        const last = seen.at(-1) ?? ''
        if (round === 0) await store.delete({ id: last, at: T3 })
        if (round === 1) await store.update({ id: last, changes: { description: 'changed' }, at: T3 })
        await store.update({ id: tasks[0]?.id ?? '', changes: { description: `round ${round}` }, at: T3 })
      }
      expect(seen).toEqual(tasks.map(({ id }) => id).reverse())
    })

    holds('filters by status', async (store) => {
      const [one, two, three] = await addMany(store, 3)
      await store.update({ id: id(one), changes: { status: 'done' }, at: T2 })
      await store.update({ id: id(two), changes: { status: 'in_progress' }, at: T2 })
      expect(await ids(store, { statuses: ['done'] })).toEqual([id(one)])
      expect(await ids(store, { statuses: ['pending', 'in_progress'] })).toEqual([id(three), id(two)])
      expect(await ids(store, { statuses: ['cancelled'] })).toEqual([])
    })

    holds('filters by priority', async (store) => {
      const urgent = aTask({ priority: 'urgent' })
      await store.add(urgent)
      await store.add(aTask())
      expect(await ids(store, { priority: 'urgent' })).toEqual([urgent.id])
    })

    holds('filters by a whole tag', async (store) => {
      const tagged = aTask({ tags: ['home', 'work'] })
      await store.add(tagged)
      await store.add(aTask({ tags: ['homework', 'x"work', 'Work', 'work,home'] }))
      expect(await ids(store, { tag: 'work' })).toEqual([tagged.id])
      expect(await ids(store, { tag: 'wor' })).toEqual([])
      expect(await ids(store, { tag: '"' })).toEqual([])
    })

    holds('filters by what is due, a date lasting until its end', async (store) => {
      const date = aTask({ due: '2026-11-20' })
      const time = aTask({ due: '2026-11-20T23:30:00-02:00' })
      for (const task of [date, time, aTask()]) await store.add(task)
      const dueBefore = (instant: string) => ids(store, { dueBefore: instant })
      expect(await dueBefore('2026-11-20T12:00:00.000Z')).toEqual([])
      expect(await dueBefore('2026-11-21T00:00:00.000Z')).toEqual([date.id])
      expect(await dueBefore('2026-11-21T01:30:00.000Z')).toEqual([date.id])
      expect(await dueBefore('2026-11-21T01:30:00.001Z')).toEqual([time.id, date.id])
    })

    holds('finds words in any case and any order', async (store) => {
      const task = aTask({ description: 'Über den Fluß: fix 100% of_it' })
      await store.add(task)
      await store.add(aTask({ description: 'Something else' }))
      for (const text of ['über', 'FLUß', 'fluß   ÜBER', 'U\u0308ber', '100%', 'of_it', ' fix ', 'flu']) {
        expect(await ids(store, { text }), text).toEqual([task.id])
      }
      for (const text of ['über bridge', 'something über', 'f%x', 'luß', 'fix_2']) {
        expect(await ids(store, { text }), text).toEqual([])
      }
      expect(await ids(store, { text: '  ' })).toHaveLength(2)
    })

    holds('finds ids by their beginning', async (store) => {
      const [one] = await addMany(store, 2)
      expect(await ids(store, { idPrefix: id(one).slice(0, -1) })).toEqual([id(one)])
      expect(await ids(store, { idPrefix: 'task_' })).toHaveLength(2)
      expect(await ids(store, { idPrefix: '' })).toHaveLength(2)
      expect(await ids(store, { idPrefix: 'TASK_%' })).toEqual([])
    })

    holds('finds what was completed since an instant', async (store) => {
      const [one, two] = await addMany(store, 3)
      await store.update({ id: id(one), changes: { status: 'done' }, at: T1 })
      await store.update({ id: id(two), changes: { status: 'done' }, at: T3 })
      expect(await ids(store, { completedSince: T2 })).toEqual([id(two)])
      expect(await ids(store, { completedSince: T3 })).toEqual([id(two)])
    })

    holds('holds all filters at once', async (store) => {
      const wanted = aTask({ description: 'call Ann', priority: 'high', tags: ['phone'], due: '2026-01-01' })
      await store.add(wanted)
      await store.add(
        aTask({ description: 'call Bob', priority: 'high', tags: ['phone'], due: '2026-01-01' }),
      )
      await store.add(aTask({ description: 'call Ann', priority: 'low', tags: ['phone'], due: '2026-01-01' }))
      const filter: TaskFilter = {
        statuses: ['pending'],
        priority: 'high',
        tag: 'phone',
        dueBefore: T1,
        text: 'ann call',
        idPrefix: 'task_',
      }
      expect(await ids(store, filter)).toEqual([wanted.id])
    })

    holds('changes what is given and nothing else', async (store) => {
      const task = aTask({ due: '2026-11-20', tags: ['a'] })
      await store.add(task)
      const changed = await store.update({ id: task.id, changes: { priority: 'low' }, at: T2 })
      expect(changed).toEqual({ ...task, priority: 'low', updatedAt: T2 })
      expect(await store.get(task.id)).toEqual(changed)
    })

    holds('changes everything that can be changed, for the filters too', async (store) => {
      const task = aTask({ due: '2026-11-20', tags: ['a'] })
      await store.add(task)
      const changes = {
        description: 'New words',
        priority: 'high',
        due: '2027-01-01',
        tags: ['b', 'c'],
      } as const
      expect(await store.update({ id: task.id, changes, at: T2 })).toEqual({
        ...task,
        ...changes,
        updatedAt: T2,
      })
      expect(await ids(store, { text: 'words', tag: 'c' })).toEqual([task.id])
      expect(await ids(store, { text: 'parser' })).toEqual([])
      expect(await ids(store, { dueBefore: '2026-12-31T00:00:00.000Z' })).toEqual([])
    })

    holds('takes a due date and tags away', async (store) => {
      const task = aTask({ due: '2026-11-20', tags: ['a'] })
      await store.add(task)
      const changed = await store.update({ id: task.id, changes: { due: null, tags: [] }, at: T2 })
      expect(changed).toMatchObject({ due: null, tags: [] })
      expect(await ids(store, { dueBefore: '2030-01-01T00:00:00.000Z' })).toEqual([])
    })

    holds('says when a task was completed, and stays with the first time', async (store) => {
      const task = aTask()
      await store.add(task)
      const complete = (at: string) => store.update({ id: task.id, changes: { status: 'done' }, at })
      const done = { ...task, status: 'done', updatedAt: T2, completedAt: T2 }
      expect(await complete(T2)).toEqual(done)
      expect(await complete(T3)).toEqual(done)
      const renamed = await store.update({ id: task.id, changes: { description: 'x' }, at: T3 })
      expect(renamed).toEqual({ ...done, description: 'x', updatedAt: T3 })
    })

    holds('forgets when a task was completed once it no longer is', async (store) => {
      const task = aTask()
      await store.add(task)
      await store.update({ id: task.id, changes: { status: 'done' }, at: T2 })
      expect(await store.update({ id: task.id, changes: { status: 'cancelled' }, at: T3 })).toEqual({
        ...task,
        status: 'cancelled',
        updatedAt: T3,
      })
    })

    holds('leaves a task alone when the change is none', async (store) => {
      const task = aTask({ due: '2026-11-20' })
      await store.add(task)
      const { description, due, tags, priority } = task
      expect(
        await store.update({ id: task.id, changes: { description, due, tags, priority }, at: T3 }),
      ).toEqual(task)
    })

    holds('changes only from a status that was named', async (store) => {
      const task = aTask()
      await store.add(task)
      const reopen = (at: string) =>
        store.update({ id: task.id, changes: { status: 'pending' }, at, from: ['done', 'cancelled'] })
      await store.update({ id: task.id, changes: { status: 'in_progress' }, at: T1 })
      expect(await reopen(T2)).toBeUndefined()
      expect((await store.get(task.id))?.status).toBe('in_progress')
      await store.update({ id: task.id, changes: { status: 'done' }, at: T2 })
      expect(await reopen(T3)).toEqual({ ...task, updatedAt: T3 })
    })

    holds('deletes once and gives what it deleted', async (store) => {
      const [one, two] = await addMany(store, 2)
      expect(await store.delete({ id: id(one), at: T3 })).toEqual(one)
      expect(await store.delete({ id: id(one), at: T3 })).toBeUndefined()
      expect(await store.get(id(one))).toBeUndefined()
      expect(await ids(store)).toEqual([id(two)])
    })

    holds('writes nothing once nobody wants it', async (store) => {
      const task = aTask()
      await store.add(task)
      const signal = AbortSignal.abort()
      const writes = [
        store.add(aTask(), { signal }),
        store.update({ id: task.id, changes: { status: 'done' }, at: T2 }, signal),
        store.delete({ id: task.id, at: T3 }, signal),
      ]
      for (const write of writes) await expect(write).rejects.toThrow('aborted')
      expect((await store.list({}, { limit: 10 })).tasks).toEqual([task])
    })

    holds('writes for a signal that stays silent', async (store) => {
      const { signal } = new AbortController()
      const [one, two] = [aTask(), aTask()]
      await store.add(one, { signal })
      await store.add(two, { signal })
      const done = await store.update({ id: one.id, changes: { status: 'done' }, at: T2 }, signal)
      expect(done).toMatchObject({ id: one.id, status: 'done' })
      expect(await store.delete({ id: two.id, at: T3 }, signal)).toEqual(two)
      expect(await ids(store)).toEqual([one.id])
    })

    holds('loses no update of many at once', async (store) => {
      const task = aTask()
      await store.add(task)
      const changes = [
        { description: 'new' },
        { priority: 'urgent' },
        { due: '2026-12-24' },
        { tags: ['x'] },
        { status: 'done' },
      ] as const
      await Promise.all(changes.map((one) => store.update({ id: task.id, changes: one, at: T2 })))
      expect(await store.get(task.id)).toMatchObject(Object.assign({}, ...changes))
    })

    holds('takes many tasks at once', async (store) => {
      const tasks = Array.from({ length: 50 }, () => aTask())
      await Promise.all(tasks.map((task) => store.add(task)))
      const pages = await allPages(store, {}, { limit: 7 })
      expect(pages.flat().toSorted()).toEqual(tasks.map((task) => task.id).toSorted())
    })
  })
}

function id(task: Task | undefined): string {
  return task?.id ?? 'there is no task'
}

async function addMany(store: TaskStore, count: number): Promise<readonly Task[]> {
  const tasks = Array.from({ length: count }, (_, index) => aTask({ description: `task ${index}` }))
  for (const task of tasks) await store.add(task)
  return tasks
}

async function ids(store: TaskStore, filter: TaskFilter = {}): Promise<readonly string[]> {
  return (await store.list(filter, { limit: 100 })).tasks.map((task) => task.id)
}

async function allPages(store: TaskStore, filter: TaskFilter, request: PageRequest): Promise<string[][]> {
  const pages: string[][] = []
  let before: number | undefined
  do {
    const page = await store.list(filter, { ...request, ...(before !== undefined && { before }) })
    pages.push(page.tasks.map((task) => task.id))
    before = page.next
  } while (before !== undefined)
  return pages
}
