import { defineTool } from '../../authoring/define.ts'
import type { ToolDefinition } from '../../kernel/index.ts'
import { isOpen } from './change.ts'
import { checkDescription, checkOptionalDue, checkSearch, checkTags, checkTexts } from './check.ts'
import { claim, history, release } from './claim-tools.ts'
import { complete, remove, reopen, restore } from './closing-tools.ts'
import { checkFound, type Desk, deedOf, tellChanged } from './context.ts'
import { parseCursor, printCursor } from './cursor.ts'
import { boundsOf, readDue } from './due.ts'
import type { DueSpeaker } from './due-words.ts'
import {
  BLOCKED_BY,
  DEFAULT_PAGE,
  DESCRIPTION,
  DUE,
  ENOUGH_BYTES,
  EXPECTED,
  ID,
  MAX_PAGE,
  MAX_SEARCH,
  NEW_DUE,
  ONLY_ID,
  PAGE,
  PARENT,
  PRIORITY,
  STATUS,
  TAG,
  TAGS,
  TASK,
} from './schemas.ts'
import { MAX_WORDS } from './search.ts'
import { createTask, OPEN, type Status } from './task.ts'
import type { TaskFilter, TaskUpdate } from './task-store.ts'

export function tools(desk: Desk): readonly ToolDefinition[] {
  const all = [create, get, list, update, complete, reopen, remove, restore, claim, release, history]
  return all.map((tool) => checkingTexts(tool(desk)))
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

function create({ store, room, now, zone }: Desk) {
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
        parent: PARENT,
        blocked_by: BLOCKED_BY,
      },
      required: ['description'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async (
      { description, priority = 'normal', due = null, tags = [], parent = null, blocked_by },
      call,
    ) => {
      const at = now()
      const wish = {
        description: checkDescription(description),
        priority,
        due: checkOptionalDue(due, { now: at, zone }),
        tags: checkTags(tags),
        parent,
        blockedBy: [...new Set(blocked_by)],
      }
      const task = createTask(wish, at.toISOString())
      const { signal, server, peer } = call
      await store.add(task, { by: peer.info?.name, signal, checkRoom: room.on(server) })
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
    description: `Only tasks whose description has all these words, or words that begin so; at most ${MAX_WORDS}`,
  },
  parent: { ...PARENT, description: 'Only the parts of this task' },
  open: { type: 'boolean', description: 'Only tasks that are pending or in progress' },
  ready: {
    type: 'boolean',
    description: 'Only open tasks that nobody works on and nothing open blocks: what can be claimed',
  },
} as const

function list({ store, now, zone }: Desk) {
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
          description: 'How many tasks a page has at most: fewer where they are long',
        },
      },
      required: [],
      additionalProperties: false,
    },
    output: PAGE,
    annotations: READS,
    scopes: ['tasks:read'],
    run: async ({ cursor, limit = DEFAULT_PAGE, ...wanted }) => {
      const before = cursor === undefined ? {} : { before: parseCursor(cursor) }
      const page = { ...before, limit, bytes: ENOUGH_BYTES }
      const { tasks, next } = await store.list(toFilter(wanted, { now: now(), zone }), page)
      return { tasks, ...(next !== undefined && { nextCursor: printCursor(next) }) }
    },
  })
}

interface WantedTasks extends Pick<TaskFilter, 'priority' | 'tag' | 'text' | 'parent'> {
  readonly status?: Status
  readonly due_before?: string
  readonly open?: boolean
  readonly ready?: boolean
}

function toFilter(wanted: WantedTasks, speaker: DueSpeaker): TaskFilter {
  const { status, priority, tag, due_before, text, parent, open, ready } = wanted
  const isOpenWanted = open === true || ready === true
  if (isOpenWanted && status !== undefined && !isOpen(status))
    throw new Error(
      `status: expected ${OPEN.join(' or ')} beside ${open === true ? 'open' : 'ready'}, got ${status}: leave one of them out`,
    )
  return {
    ...(isOpenWanted && { statuses: OPEN }),
    ...(ready === true && { readyAt: speaker.now.toISOString() }),
    ...(status !== undefined && { statuses: [status] }),
    ...(priority !== undefined && { priority }),
    ...(tag !== undefined && { tag: tag.trim() }),
    ...(due_before !== undefined && boundsOf(readDue('due_before', due_before, speaker), speaker.zone)),
    ...(text !== undefined && { text: checkSearch(text) }),
    ...(parent !== undefined && { parent }),
  }
}

function update({ store, room, now, zone }: Desk) {
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
        parent: {
          type: ['string', 'null'],
          maxLength: 100,
          description: 'Id of the task that this one is a part of from now on; null makes it a part of none',
        },
        blocked_by: { ...BLOCKED_BY, description: `${BLOCKED_BY.description}. All of them from now on` },
        expectedUpdatedAt: EXPECTED,
      },
      required: ['id'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scopes: ['tasks:write'],
    run: async ({ id, expectedUpdatedAt, ...wanted }, call) => {
      const at = now()
      const task = await store.update(
        {
          ...deedOf(call, { id, expectedUpdatedAt, at }),
          changes: checkChanges(wanted, { now: at, zone }),
        },
        call.signal,
        room.on(call.server),
      )
      return tellChanged(checkFound(task, id), call)
    },
  })
}

interface WantedChanges extends Omit<TaskUpdate, 'blockedBy'> {
  readonly blocked_by?: readonly string[]
}

function checkChanges(wanted: WantedChanges, speaker: DueSpeaker): TaskUpdate {
  const { description, status, priority, due, tags, parent, blocked_by } = wanted
  const changes: TaskUpdate = {
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(due !== undefined && { due: checkOptionalDue(due, speaker) }),
    ...(tags !== undefined && { tags: checkTags(tags) }),
    ...(parent !== undefined && { parent: parent === '' ? null : parent }),
    ...(blocked_by !== undefined && { blockedBy: [...new Set(blocked_by)] }),
  }
  if (Object.keys(changes).length > 0) return changes
  throw new Error(
    'Nothing to change: expected at least one of description, status, priority, due, tags, parent, blocked_by',
  )
}
