import { defineTool } from '../../authoring/define.ts'
import { checkAgent } from './check.ts'
import { checkFound, type Desk, deedOf, tellChanged } from './context.ts'
import { AGENT, EXPECTED, HISTORY, ID, ONLY_ID, TASK } from './schemas.ts'

const DEFAULT_MINUTES = 30
const MAX_MINUTES = 24 * 60

const CHANGES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const

export function claim({ store, now }: Desk) {
  return defineTool({
    name: 'claim_task',
    title: 'Claim task',
    description:
      'Take a task to work on it, so that no other agent does: it is in progress and yours until the time is over, you release it, or it is closed. Claim it again to keep it for longer. Refused while another agent has it, while something open blocks it, and when it is closed',
    input: {
      type: 'object',
      properties: {
        id: ID,
        agent: AGENT,
        minutes: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_MINUTES,
          default: DEFAULT_MINUTES,
          description: 'How long it is yours unless you claim it again',
        },
        expectedUpdatedAt: EXPECTED,
      },
      required: ['id', 'agent'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { ...CHANGES, idempotentHint: false },
    scopes: ['tasks:write'],
    run: async ({ agent, minutes = DEFAULT_MINUTES, ...known }, call) => {
      const at = now()
      const until = new Date(at.getTime() + minutes * 60_000).toISOString()
      const deed = { ...deedOf(call, { ...known, at }), by: checkAgent(agent), until }
      return tellChanged(checkFound(await store.claim(deed, call.signal), known.id), call)
    },
  })
}

export function release({ store, now }: Desk) {
  return defineTool({
    name: 'release_task',
    title: 'Release task',
    description: 'Give a task back that you have claimed and not finished: it is pending again, for anybody',
    input: {
      type: 'object',
      properties: { id: ID, agent: AGENT },
      required: ['id', 'agent'],
      additionalProperties: false,
    },
    output: TASK,
    annotations: { ...CHANGES, idempotentHint: true },
    scopes: ['tasks:write'],
    run: async ({ id, agent }, call) => {
      const deed = { ...deedOf(call, { id, at: now() }), by: checkAgent(agent), until: null }
      return tellChanged(checkFound(await store.claim(deed, call.signal), id), call)
    },
  })
}

export function history({ store }: Desk) {
  return defineTool({
    name: 'task_history',
    title: 'History of a task',
    description:
      'What has been done to a task, by whom and when, the newest first; also of one that was deleted',
    input: ONLY_ID,
    output: HISTORY,
    annotations: { readOnlyHint: true, openWorldHint: false },
    scopes: ['tasks:read'],
    run: async ({ id }) => {
      const entries = await store.history(id)
      if (entries === undefined) throw new Error(`error: task not found: ${id}`)
      return { entries }
    },
  })
}
