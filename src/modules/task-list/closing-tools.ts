import { defineTool } from '../../authoring/define.ts'
import { KEPT_DAYS } from './bin.ts'
import { checkFound, type Desk, deedOf, tellChanged } from './context.ts'
import { ID_AS_KNOWN, ONLY_ID, TASK } from './schemas.ts'
import { CLOSED } from './task.ts'

const CHANGES = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

export function complete({ store, now }: Desk) {
  return defineTool({
    name: 'complete_task',
    title: 'Complete task',
    description: 'Mark a task as done; one that is done already stays as it is',
    input: ID_AS_KNOWN,
    output: TASK,
    annotations: CHANGES,
    scopes: ['tasks:write'],
    run: async (known, call) => {
      const deed = deedOf(call, { ...known, at: now() })
      const task = await store.update({ ...deed, changes: { status: 'done' } }, call.signal)
      return tellChanged(checkFound(task, known.id), call)
    },
  })
}

export function reopen({ store, now }: Desk) {
  return defineTool({
    name: 'reopen_task',
    title: 'Reopen task',
    description: 'Make a task that is done or cancelled pending again; one that is open stays as it is',
    input: ONLY_ID,
    output: TASK,
    annotations: CHANGES,
    scopes: ['tasks:write'],
    run: async ({ id }, call) => {
      const deed = deedOf(call, { id, at: now() })
      const task = await store.update({ ...deed, changes: { status: 'pending' }, from: CLOSED }, call.signal)
      return task === undefined ? checkFound(await store.get(id), id) : tellChanged(task, call)
    },
  })
}

export function remove({ store, now }: Desk) {
  return defineTool({
    name: 'delete_task',
    title: 'Delete task',
    description: `Delete a task, and give it as it was; restore_task brings it back within ${KEPT_DAYS} days. To keep it on record, set its status to cancelled instead`,
    input: ID_AS_KNOWN,
    output: TASK,
    annotations: { ...CHANGES, destructiveHint: true },
    scopes: ['tasks:write'],
    run: async (known, call) => {
      const deed = deedOf(call, { ...known, at: now() })
      return tellChanged(checkFound(await store.delete(deed, call.signal), known.id), call)
    },
  })
}

export function restore({ store, room, now }: Desk) {
  return defineTool({
    name: 'restore_task',
    title: 'Restore task',
    description: `Bring back a task that was deleted in the last ${KEPT_DAYS} days; one that is there stays as it is`,
    input: ONLY_ID,
    output: TASK,
    annotations: CHANGES,
    scopes: ['tasks:write'],
    run: async ({ id }, call) => {
      const task = await store.restore(deedOf(call, { id, at: now() }), call.signal, room.on(call.server))
      return task === undefined ? checkFound(await store.get(id), id) : tellChanged(task, call)
    },
  })
}
