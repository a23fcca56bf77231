import { defineTool } from '../../authoring/define.ts'
import type { ToolDefinition } from '../../kernel/index.ts'
import { checkDescription, checkOptionalDue, checkSearch, checkTags, checkTexts } from './check.ts'
import { checkFound, type Desk, tellChanged } from './context.ts'
import { parseCursor, printCursor } from './cursor.ts'
import { beginningOf, checkDue } from './due.ts'
import {
  DEFAULT_PAGE,
  DESCRIPTION,
  DUE,
  ID,
  MAX_PAGE,
  MAX_SEARCH,
  NEW_DUE,
  ONLY_ID,
  PAGE,
  PRIORITY,
  STATUS,
  TAG,
  TAGS,
  TASK,
} from './schemas.ts'
import { MAX_WORDS } from './search.ts'
import { CLOSED, createTask } from './task.ts'
import type { TaskFilter, TaskUpdate } from './task-store.ts'

export function tools(desk: Desk): readonly ToolDefinition[] {
  return [create, get, list, update, complete, reopen, remove].map((tool) => checkingTexts(tool(desk)))
}

function checkingTexts(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    run: (args, call) => {
      checkTexts(args as object) // What fits the schema is an object.
      return tool.run(args, call)
    },
  }
}

const READS = { readOnlyHint: true, openWorldHint: false } as const

function create({ store, room, now }: Desk) {
  return defineTool({
    name: 'create_task',
    title: 'Create task',
    description: 'Create a new task',
    input: {
      type: 'object',
      properties: {
        description: DESCRIPTION,
        priority: { ...PRIORITY, default: 'normal' },
        due: DUE,
        tags: TAGS,
      },
      required: ['description'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ description, priority = 'normal', due = null, tags = [] }, call) => {
      const wish = {
        description: checkDescription(description),
        priority,
        due: checkOptionalDue(due),
        tags: checkTags(tags),
      }
      const task = createTask(wish, now().toISOString())
      await store.add(task, call.signal, room.on(call.server))
      return tellChanged(task, call)
    },
  })
}

function get({ store }: Desk) {
  return defineTool({
    name: 'get_task',
    title: 'Get task',
    description: 'Get one task by its id',
    input: ONLY_ID,
    output: TASK,
    annotations: READS,
    scopes: ['tasks:read'],
    run: async ({ id }) => checkFound(await store.get(id), id),
  })
}

const FILTERS = {
  status: { ...STATUS, description: 'Only tasks of this status' },
  priority: { ...PRIORITY, description: 'Only tasks of this priority' },
  tag: { ...TAG, description: 'Only tasks that have exactly this tag' },
  due_before: {
    ...DUE,
    description: 'Only tasks due before the beginning of this date, or before this time',
  },
  text: {
    type: 'string',
    maxLength: MAX_SEARCH,
    description: `Only tasks whose description has all these words, at most ${MAX_WORDS}`,
  },
} as const

function list({ store }: Desk) {
  return defineTool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'List tasks by creation, newest first, page by page. Every filter that is given must hold. A task is on one page only, even while others are added.',
    input: {
      type: 'object',
      properties: {
        ...FILTERS,
        cursor: { type: 'string', maxLength: 100, description: 'The nextCursor of the page before' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_PAGE,
          default: DEFAULT_PAGE,
          description: 'How many tasks a page has',
        },
      },
      required: [],
      additionalProperties: false,
    },
    output: PAGE,
    annotations: READS,
    scopes: ['tasks:read'],
    run: async ({ status, priority, tag, due_before, text, cursor, limit = DEFAULT_PAGE }) => {
      const filter: TaskFilter = {
        ...(status !== undefined && { statuses: [status] }),
        ...(priority !== undefined && { priority }),
        ...(tag !== undefined && { tag: tag.trim() }),
        ...(due_before !== undefined && { dueBefore: beginningOf(checkDue('due_before', due_before)) }),
        ...(text !== undefined && { text: checkSearch(text) }),
      }
      const before = cursor === undefined ? {} : { before: parseCursor(cursor) }
      const { tasks, next } = await store.list(filter, { ...before, limit })
      return { tasks, ...(next !== undefined && { nextCursor: printCursor(next) }) }
    },
  })
}

function update({ store, room, now }: Desk) {
  return defineTool({
    name: 'update_task',
    title: 'Update task',
    description: 'Change a task: what is given becomes the new value, what is not given stays',
    input: {
      type: 'object',
      properties: {
        id: ID,
        description: DESCRIPTION,
        status: STATUS,
        priority: PRIORITY,
        due: NEW_DUE,
        tags: { ...TAGS, description: 'All tags of the task from now on' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ id, ...wanted }, call) => {
      const changes = checkChanges(wanted)
      const task = await store.update(
        { id, changes, at: now().toISOString() },
        call.signal,
        room.on(call.server),
      )
      return tellChanged(checkFound(task, id), call)
    },
  })
}

function checkChanges({ description, status, priority, due, tags }: TaskUpdate): TaskUpdate {
  const changes: TaskUpdate = {
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(due !== undefined && { due: checkOptionalDue(due) }),
    ...(tags !== undefined && { tags: checkTags(tags) }),
  }
  if (Object.keys(changes).length > 0) return changes
  throw new Error('Nothing to change: expected at least one of description, status, priority, due, tags')
}

function complete({ store, now }: Desk) {
  return defineTool({
    name: 'complete_task',
    title: 'Complete task',
    description: 'Mark a task as done; one that is done already stays as it is',
    input: ONLY_ID,
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ id }, call) => {
      const task = await store.update(
        { id, changes: { status: 'done' }, at: now().toISOString() },
        call.signal,
      )
      return tellChanged(checkFound(task, id), call)
    },
  })
}

function reopen({ store, now }: Desk) {
  return defineTool({
    name: 'reopen_task',
    title: 'Reopen task',
    description: 'Make a task that is done or cancelled pending again; one that is open stays as it is',
    input: ONLY_ID,
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ id }, call) => {
      const at = now().toISOString()
      const task = await store.update({ id, changes: { status: 'pending' }, at, from: CLOSED }, call.signal)
      return task === undefined ? checkFound(await store.get(id), id) : tellChanged(task, call)
    },
  })
}

function remove({ store }: Desk) {
  return defineTool({
    name: 'delete_task',
    title: 'Delete task',
    description:
      'Delete a task for good, and give it as it was; to keep a record, set its status to cancelled instead',
    input: ONLY_ID,
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ id }, call) => tellChanged(checkFound(await store.delete(id, call.signal), id), call),
  })
}
