import { expect, it, vi } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../client/test-client.ts'
import { DatabaseError } from '../../databases/database.ts'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { taskList } from './index.ts'
import { createMemoryTasks } from './stores/memory.ts'
import type { Task } from './task.ts'
import type { TaskStore } from './task-store.ts'

const NOON = new Date(2026, 10, 15, 12)

interface Desk {
  readonly client: TestClient
  readonly store: TaskStore
  /** Sets the clock. */
  readonly at: (instant: Date) => void
}

async function open(options: { revision?: string; store?: TaskStore } = {}): Promise<Desk> {
  const { revision = '2025-11-25', store = createMemoryTasks() } = options
  let now = NOON
  const modules = [taskList({ store, now: () => now })]
  const client = await createTestClient(defineServer({ name: 's', version: '1', modules }), { revision })
  return {
    client,
    store,
    at: (instant) => {
      now = instant
    },
  }
}

/** The structured result of a tool; what it refuses is thrown. */
async function use(client: TestClient, tool: string, args: JsonObject = {}): Promise<JsonObject> {
  const { structuredContent, isError, content } = await client.callTool(tool, args)
  const [block] = content as readonly { readonly text: string }[]
  if (isError === true) throw new Error(block?.text)
  expect(JSON.parse(block?.text ?? '')).toEqual(structuredContent)
  return structuredContent as JsonObject
}

async function create(client: TestClient, args: JsonObject): Promise<Task> {
  return (await use(client, 'create_task', args)) as unknown as Task
}

async function textOf(client: TestClient, uri: string): Promise<unknown> {
  const { contents } = await client.request('resources/read', { uri })
  const [one] = contents as readonly { readonly text: string; readonly mimeType: string }[]
  expect(one?.mimeType).toBe('application/json')
  return JSON.parse(one?.text ?? '')
}

async function prompt(client: TestClient, name: string, args: JsonObject = {}): Promise<string> {
  const { messages } = await client.request('prompts/get', { name, arguments: args })
  const [message] = messages as readonly { readonly content: { readonly text: string } }[]
  return message?.content.text ?? ''
}

it('creates a task with what was given and defaults for the rest', async () => {
  const { client } = await open()
  const task = await create(client, { description: '  Fix parser bug ' })
  expect(task).toEqual({
    id: expect.stringMatching(/^task_[0-9a-z]{16}$/),
    description: 'Fix parser bug',
    status: 'pending',
    priority: 'normal',
    due: null,
    tags: [],
    createdAt: NOON.toISOString(),
    updatedAt: NOON.toISOString(),
    completedAt: null,
  })
  const full = { description: 'x', priority: 'urgent', due: '2026-11-20', tags: ['a', ' a ', 'b'] }
  expect(await create(client, full)).toMatchObject({ ...full, tags: ['a', 'b'] })
})

it('goes through the life of a task', async () => {
  const { client, at } = await open()
  const { id } = await create(client, { description: 'x' })
  at(new Date(2026, 10, 15, 13))
  expect(await use(client, 'update_task', { id, status: 'in_progress', due: '2026-12-01' })).toMatchObject({
    status: 'in_progress',
    due: '2026-12-01',
    updatedAt: new Date(2026, 10, 15, 13).toISOString(),
  })
  expect(await use(client, 'reopen_task', { id })).toMatchObject({ status: 'in_progress' })
  expect(await use(client, 'complete_task', { id })).toMatchObject({
    status: 'done',
    completedAt: new Date(2026, 10, 15, 13).toISOString(),
  })
  expect(await use(client, 'reopen_task', { id })).toMatchObject({ status: 'pending', completedAt: null })
  expect(await use(client, 'update_task', { id, due: null })).toMatchObject({ due: null })
  expect(await use(client, 'get_task', { id })).toMatchObject({ id, due: null })
  expect(await use(client, 'delete_task', { id })).toMatchObject({ id })
  await expect(use(client, 'get_task', { id })).rejects.toThrow(`error: task not found: ${id}`)
})

const ONE_TASK = [
  ...['get_task', 'complete_task', 'reopen_task', 'delete_task', 'update_task'],
  ...['restore_task', 'claim_task', 'release_task', 'task_history'],
]

it.each(ONE_TASK)('%s says in the words of the document that there is no such task', async (tool) => {
  const { client } = await open()
  const args = {
    id: 'task_xyz',
    ...(tool === 'update_task' && { status: 'done' }),
    ...(/claim|release/.test(tool) && { agent: 'a' }),
  }
  expect(await client.callTool(tool, args)).toMatchObject({
    content: [{ type: 'text', text: 'error: task not found: task_xyz' }],
    isError: true,
  })
})

it.each([
  ['a blank description', { description: ' \n ' }, 'description: expected some text'],
  ['no description', { description: '' }, 'description'],
  ['a description without end', { description: 'x'.repeat(10_001) }, 'description'],
  ['a NUL', { description: 'a\0b' }, 'description: expected text, got a NUL character'],
  ['a day that is none', { description: 'x', due: '2026-02-30' }, 'due: expected a date such as'],
  ['words that are no date', { description: 'x', due: 'some day' }, 'got "some day"'],
  ['a task that is not there', { description: 'x', blocked_by: ['task_xyz'] }, 'blocked_by: expected ids'],
  ['a time without its offset', { description: 'x', due: '2026-11-20T15:00:00' }, 'with its offset'],
  ['a blank tag', { description: 'x', tags: [' '] }, 'tags: expected some text'],
  ['too many tags', { description: 'x', tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'tags'],
  ['a long tag', { description: 'x', tags: ['t'.repeat(51)] }, 'tags[0]'],
  ['a priority that is none', { description: 'x', priority: 'asap' }, '"low","normal","high","urgent"'],
  ['something unknown', { description: 'x', colour: 'red' }, 'unexpected "colour"'],
])('refuses %s', async (_name, args, said) => {
  const { client, store } = await open()
  await expect(create(client, args)).rejects.toThrow(said)
  expect((await store.list({}, { limit: 1 })).tasks).toEqual([])
})

it.each([
  ['a NUL', 'a\0b', 'a NUL character'],
  ['half a character', 'a\ud83d', 'half a character'],
  ['the other half', '\udc19b', 'half a character'],
])('refuses %s wherever a text may stand', async (_name, text, said) => {
  const { client } = await open()
  const { id } = await create(client, { description: 'whole 🐙' })
  const refused = [
    ['create_task', { description: text }, 'description'],
    ['create_task', { description: 'x', tags: ['fine', text] }, 'tags'],
    ['create_task', { description: 'x', due: text }, 'due'],
    ['update_task', { id, description: text }, 'description'],
    ['list_tasks', { text }, 'text'],
    ['list_tasks', { tag: text }, 'tag'],
    ['list_tasks', { cursor: text }, 'cursor'],
    ['list_tasks', { due_before: text }, 'due_before'],
    ['update_task', { id, blocked_by: [text] }, 'blocked_by'],
    ['claim_task', { id, agent: text }, 'agent'],
    ...['get_task', 'complete_task', 'reopen_task', 'delete_task', 'task_history'].map((tool) => [
      tool,
      { id: text },
      'id',
    ]),
  ] as const
  for (const [tool, args, name] of refused) {
    await expect(use(client, tool as string, args as JsonObject), `${tool} ${name}`).rejects.toThrow(
      `${name}: expected text, got ${said}`,
    )
  }
  await expect(client.request('resources/read', { uri: `task://%00` })).rejects.toThrow('Resource not found')
})

it('wants something to change', async () => {
  const { client } = await open()
  const { id } = await create(client, { description: 'x' })
  await expect(use(client, 'update_task', { id })).rejects.toThrow(
    'Nothing to change: expected at least one of description, status, priority, due, tags',
  )
  await expect(use(client, 'update_task', { id, due: 'soon' })).rejects.toThrow('due: expected a date')
  await expect(use(client, 'update_task', { id, description: ' ' })).rejects.toThrow('description: expected')
})

it('shares a list among agents: claimed by one, released, deleted and brought back, with a history', async () => {
  const { client, at } = await open()
  const { id } = await create(client, { description: 'x' })
  const claimed = await use(client, 'claim_task', { id, agent: ' one ', minutes: 10 })
  expect(claimed).toMatchObject({
    status: 'in_progress',
    claimedBy: 'one',
    claimedUntil: new Date(NOON.getTime() + 600_000).toISOString(),
  })
  await expect(use(client, 'claim_task', { id, agent: 'two' })).rejects.toThrow('is claimed by one until')
  await expect(use(client, 'claim_task', { id, agent: ' ' })).rejects.toThrow('agent: expected a name')
  expect((await use(client, 'list_tasks', { ready: true }))['tasks']).toEqual([])
  at(new Date(NOON.getTime() + 600_000))
  expect((await use(client, 'list_tasks', { ready: true }))['tasks']).toMatchObject([{ id }])
  await use(client, 'claim_task', { id, agent: 'two' })
  const free = await use(client, 'release_task', { id, agent: 'two' })
  expect(free).toEqual({ ...(await use(client, 'get_task', { id })), status: 'pending' })
  const stale = { id, expectedUpdatedAt: claimed['updatedAt'] }
  for (const tool of ['complete_task', 'delete_task'])
    await expect(use(client, tool, stale)).rejects.toThrow(`error: task ${id} has changed`)
  await expect(use(client, 'update_task', { ...stale, priority: 'low' })).rejects.toThrow('Look at it again')
  await use(client, 'delete_task', { id, expectedUpdatedAt: free['updatedAt'] })
  expect(await use(client, 'restore_task', { id })).toMatchObject({ id, description: 'x', status: 'pending' })
  const { entries } = await use(client, 'task_history', { id })
  expect((entries as readonly JsonObject[]).map(({ what }) => what)).toEqual(
    ['created', 'claimed', 'claimed', 'released', 'deleted', 'restored'].toReversed(),
  )
  const someone = expect.any(String)
  expect(entries).toMatchObject([
    { by: someone },
    {},
    { by: 'two' },
    {},
    {},
    { what: 'created', by: someone },
  ])
})

it.each(['open', 'ready'])('says that %s tasks are not done', async (wanted) => {
  const { client } = await open()
  await expect(use(client, 'list_tasks', { [wanted]: true, status: 'done' })).rejects.toThrow(
    `status: expected pending or in_progress beside ${wanted}, got done: leave one of them out`,
  )
  expect(await use(client, 'list_tasks', { [wanted]: true, status: 'pending' })).toEqual({ tasks: [] })
})

it('knows what is a part of what, what waits for what, and when that is due in words', async () => {
  const { client } = await open()
  const whole = await create(client, { description: 'Move house', due: 'tomorrow' })
  expect(whole.due).toBe('2026-11-16')
  const first = await create(client, { description: 'Pack', parent: whole.id })
  const second = await create(client, {
    description: 'Drive',
    parent: whole.id,
    blocked_by: [first.id, first.id],
  })
  expect(second).toMatchObject({ parent: whole.id, blockedBy: [first.id] })
  expect((await use(client, 'list_tasks', { parent: whole.id }))['tasks']).toEqual([second, first])
  await expect(use(client, 'update_task', { id: first.id, blocked_by: [second.id] })).rejects.toThrow(
    'no circle',
  )
  await expect(use(client, 'claim_task', { id: second.id, agent: 'a' })).rejects.toThrow(
    `blocked by ${first.id}`,
  )
  expect(await use(client, 'update_task', { id: second.id, parent: null, blocked_by: [] })).toEqual({
    ...(await use(client, 'get_task', { id: second.id })),
  })
  expect(await use(client, 'get_task', { id: second.id })).not.toHaveProperty('blockedBy')
  expect((await use(client, 'list_tasks', { due_before: 'next friday' }))['tasks']).toMatchObject([
    { id: whole.id },
  ])
})

it('lists page by page, with filters', async () => {
  const { client } = await open()
  for (let n = 0; n < 5; n++)
    await create(client, { description: `n ${n}`, tags: [n % 2 === 0 ? 'even' : 'odd'] })
  const first = await use(client, 'list_tasks', { tag: 'even', limit: 2 })
  expect(first['tasks']).toMatchObject([{ description: 'n 4' }, { description: 'n 2' }])
  const second = await use(client, 'list_tasks', { tag: 'even', limit: 2, cursor: first['nextCursor'] })
  expect(second['tasks']).toMatchObject([{ description: 'n 0' }])
  expect(second).not.toHaveProperty('nextCursor')
})

it('filters by status, priority, due date and text', async () => {
  const { client } = await open()
  const one = await create(client, { description: 'Call Ann', priority: 'high', due: '2026-11-20' })
  const two = await create(client, { description: 'Call Bob', due: '2026-11-21' })
  await use(client, 'complete_task', { id: two.id })
  const found = async (filter: JsonObject) => {
    const { tasks } = await use(client, 'list_tasks', filter)
    return (tasks as readonly Task[]).map(({ id }) => id)
  }
  expect(await found({ status: 'done' })).toEqual([two.id])
  expect(await found({ priority: 'high' })).toEqual([one.id])
  expect(await found({ due_before: '2026-11-21' })).toEqual([one.id])
  expect(await found({ due_before: '2026-11-23T00:00:00Z' })).toEqual([two.id, one.id])
  expect(await found({ text: 'ann CALL' })).toEqual([one.id])
  await expect(found({ due_before: 'never' })).rejects.toThrow('due_before: expected a date')
})

it.each(['', 'nonsense', 'YmVmb3JlOng', 'YmVmb3JlOi0', 'before:3', 'YmVmb3JlOjM=', 'YmVmb3JlOjFlMw'])(
  'refuses the cursor %j, which it never gave',
  async (cursor) => {
    const { client } = await open()
    await expect(use(client, 'list_tasks', { cursor })).rejects.toThrow(
      'cursor: this is none that list_tasks gave',
    )
  },
)

it('has tools that say all there is to say', async () => {
  const { client } = await open()
  const { tools } = await client.request('tools/list')
  for (const tool of tools as readonly JsonObject[]) {
    for (const key of ['inputSchema', 'outputSchema'])
      checkSchema(tool[key], `${String(tool['name'])} ${key}`)
    expect(tool['annotations'], String(tool['name'])).toMatchObject({
      readOnlyHint: expect.any(Boolean),
      openWorldHint: false,
    })
  }
})

/** Closed objects, and a description on every property, all the way down. */
function checkSchema(schema: unknown, where: string): void {
  if (!isObject(schema)) throw new Error(`${where}: no schema`)
  if (schema['type'] === 'object') {
    expect(schema, where).toMatchObject({ additionalProperties: false, required: expect.any(Array) })
    for (const [name, property] of Object.entries(schema['properties'] as JsonObject)) {
      expect(property, `${where}.${name}`).toHaveProperty('description')
      checkSchema(property, `${where}.${name}`)
    }
  }
  if (schema['type'] === 'array') checkSchema(schema['items'], `${where}[]`)
}

it('gives a task as a resource', async () => {
  const { client } = await open()
  const task = await create(client, { description: 'x' })
  expect(await textOf(client, `task://${task.id}`)).toEqual(task)
  await expect(textOf(client, 'task://task_nothing')).rejects.toThrow(
    'Resource not found: task://task_nothing',
  )
})

it('gives what is open as a resource', async () => {
  const { client } = await open()
  const [one, two, three] = [
    await create(client, { description: 'one' }),
    await create(client, { description: 'two' }),
    await create(client, { description: 'three' }),
  ]
  await use(client, 'complete_task', { id: two.id })
  await use(client, 'update_task', { id: three.id, status: 'in_progress' })
  expect(await textOf(client, 'tasks://open')).toMatchObject({ tasks: [{ id: three.id }, { id: one.id }] })
})

it('gives no more tasks than are enough, at tasks://open and on a page, and says how to get the rest', async () => {
  const { client } = await open()
  const made: string[] = []
  for (let count = 0; count < 120; count++) {
    made.push((await create(client, { description: `${count}${'é'.repeat(4000)}` })).id)
  }
  const { tasks, more, nextCursor } = (await textOf(client, 'tasks://open')) as {
    readonly tasks: readonly Task[]
    readonly more: string
    readonly nextCursor: string
  }
  expect(tasks).toHaveLength(32)
  expect(more).toContain('list_tasks with this nextCursor')
  const pages = [tasks]
  for (let cursor: unknown = nextCursor; cursor !== undefined; ) {
    const page = await use(client, 'list_tasks', { status: 'pending', cursor, limit: 100 })
    pages.push(page['tasks'] as readonly Task[])
    cursor = page['nextCursor']
  }
  expect(pages.map(({ length }) => length)).toEqual([32, 32, 32, 24])
  expect(pages.flat().map(({ id }) => id)).toEqual(made.toReversed())
})

it('prepares a text for searches when it is written, and not again', async () => {
  const { client } = await open()
  const { id } = await create(client, { description: 'one İ' })
  await create(client, { description: 'two İ' })
  const normalize = vi.spyOn(String.prototype, 'normalize')
  await use(client, 'update_task', { id, priority: 'high' })
  expect((await use(client, 'list_tasks', { text: 'one' }))['tasks']).toMatchObject([{ id }])
  expect(normalize.mock.contexts.map(String).filter((text) => text.includes('İ'))).toEqual([])
  normalize.mockRestore()
})

it('completes ids by their beginning and by words of the description', async () => {
  const { client } = await open()
  const parser = await create(client, { description: 'Fix the parser' })
  const milk = await create(client, { description: 'Buy milk' })
  const suggest = async (value: string) => {
    const ref = { type: 'ref/resource', uri: 'task://{id}' }
    const { completion } = await client.request('completion/complete', {
      ref,
      argument: { name: 'id', value },
    })
    return (completion as JsonObject)['values']
  }
  expect(await suggest('')).toEqual([milk.id, parser.id])
  expect(await suggest('task_')).toEqual([milk.id, parser.id])
  expect(await suggest(parser.id.slice(0, -2))).toEqual([parser.id])
  expect(await suggest('parse')).toEqual([parser.id])
  expect(await suggest('MILK buy')).toEqual([milk.id])
  expect(await suggest('nothing of the kind')).toEqual([])
})

it('searches for each word once, for ten at most, in text that it folds once', async () => {
  const { client } = await open()
  const count = 20
  const made: Task[] = []
  for (let index = 0; index < count; index++) {
    made.push(await create(client, { description: `Task ${index} ${'word '.repeat(100)}end` }))
  }
  const folds = vi.spyOn(String.prototype, 'normalize')
  const list = (text: string) => use(client, 'list_tasks', { text })
  expect(await list('word '.repeat(40))).toMatchObject({ tasks: { length: count } })
  const first = folds.mock.calls.length
  await list('word task')
  const second = folds.mock.calls.length - first
  folds.mockRestore()
  expect(first).toBeLessThan(count + 5)
  expect(second).toBeLessThan(5)
  for (const text of ['!!!', '🪐 ?'])
    await expect(list(text)).rejects.toThrow('text: expected a word to look for, got "')
  expect(await list(' ')).toMatchObject({ tasks: { length: count } })
  await expect(list('a b c d e f g h i j k')).rejects.toThrow(
    'text: expected at most 10 different words, got 11',
  )
  const { completion } = await client.request('completion/complete', {
    ref: { type: 'ref/resource', uri: 'task://{id}' },
    argument: { name: 'id', value: `word wor wo w task tas ta t end en ${'never '.repeat(30)}` },
  })
  expect(completion).toMatchObject({ total: count })
})

it('tells whoever subscribed of every change, and nobody else', async () => {
  const { client } = await open()
  const { id } = await create(client, { description: 'x' })
  const other = await create(client, { description: 'y' })
  for (const uri of [`task://${id}`, 'tasks://open']) await client.request('resources/subscribe', { uri })
  const heard = async (tool: string, args: JsonObject) => {
    const before = client.notices.length
    await use(client, tool, args)
    return client.notices.slice(before).map(({ params }) => params['uri'])
  }
  const both = [`task://${id}`, 'tasks://open']
  expect(await heard('update_task', { id, priority: 'high' })).toEqual(both)
  expect(await heard('complete_task', { id })).toEqual(both)
  expect(await heard('reopen_task', { id })).toEqual(both)
  expect(await heard('get_task', { id })).toEqual([])
  expect(await heard('complete_task', { id: other.id })).toEqual(['tasks://open'])
  expect(await heard('create_task', { description: 'z' })).toEqual(['tasks://open'])
  expect(await heard('delete_task', { id })).toEqual(both)
})

it('plans a day from what is open', async () => {
  const { client } = await open()
  const add = (description: string, more: JsonObject = {}) => create(client, { description, ...more })
  await add('late thing', { due: '2026-11-14' })
  const { id } = await add('started thing')
  await use(client, 'update_task', { id, status: 'in_progress' })
  await add('thing of the day', { due: '2026-11-15', tags: ['home'] })
  await add('thing at three', { due: new Date(2026, 10, 15, 15).toISOString(), priority: 'urgent' })
  await add('some time\nor other')
  const done = await add('finished thing')
  await use(client, 'complete_task', { id: done.id })
  const text = await prompt(client, 'plan_day')
  expect(headings(text)).toEqual({
    Overdue: ['late thing'],
    'In progress': ['started thing'],
    'Due on 2026-11-15': ['thing at three', 'thing of the day'],
    'Everything else': ['some time or other'],
  })
  expect(text).toContain(`- started thing (${id})`)
  expect(text).toMatch(/thing of the day \(task_\w+; due 2026-11-15; tags home\)/)
})

it('plans another day when asked to, and knows what a day is', async () => {
  const { client } = await open()
  await create(client, { description: 'x', due: '2026-11-20' })
  expect(headings(await prompt(client, 'plan_day', { date: '2026-11-20' }))).toMatchObject({
    'Due on 2026-11-20': ['x'],
  })
  for (const date of ['friday', '2026-11-31', '2026-11-20T10:00:00Z']) {
    await expect(prompt(client, 'plan_day', { date })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('date: expected a date'),
    })
  }
})

it('reports what was done since yesterday, what is under way and what is late', async () => {
  const { client, at } = await open()
  const complete = async (description: string, instant: Date) => {
    at(instant)
    const { id } = await create(client, { description })
    await use(client, 'complete_task', { id })
  }
  await complete('done long ago', new Date(2026, 10, 13, 23, 59))
  await complete('done yesterday', new Date(2026, 10, 14, 0, 0))
  await complete('done today', NOON)
  await create(client, { description: 'late', due: '2026-11-01' })
  await create(client, { description: 'some time' })
  expect(headings(await prompt(client, 'standup'))).toEqual({
    'Done since yesterday': ['done today', 'done yesterday'],
    'In progress': [],
    'Due today': [],
    Overdue: ['late'],
  })
})

/** The descriptions below each heading. */
function headings(text: string): { readonly [heading: string]: readonly string[] } {
  const sections = text.split('## ').slice(1)
  return Object.fromEntries(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      return [heading, lines.flatMap((line) => /^- (.*) \(task_/.exec(line)?.[1] ?? [])]
    }),
  )
}

it('tells of a store that fails wherever it is asked, and stays up', async () => {
  const memory = createMemoryTasks()
  const read = memory.list.bind(memory)
  let failing = true
  const list: TaskStore['list'] = async (...args) => {
    if (failing) throw new DatabaseError('The database tasks.db is locked')
    return read(...args)
  }
  const { client } = await open({ store: Object.assign(memory, { list }) })
  const asked = [
    () => use(client, 'list_tasks'),
    () => textOf(client, 'tasks://open'),
    () => prompt(client, 'plan_day'),
    () => prompt(client, 'standup'),
  ]
  for (const ask of asked) await expect(ask()).rejects.toThrow('The database tasks.db is locked')
  failing = false
  for (const ask of asked) await ask()
})

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28'])(
  'works for a client of %s',
  async (revision) => {
    const { client } = await open({ revision })
    const { content } = await client.callTool('create_task', { description: 'x' })
    const [block] = content as readonly { readonly text: string }[]
    expect(JSON.parse(block?.text ?? '')).toMatchObject({ description: 'x', status: 'pending' })
  },
)
