import type { Principal } from '../callers/principal.ts'
import { Call } from '../calls/call.ts'
import { NOWHERE, type Outlet } from '../calls/outlet.ts'
import { checkOptionalObject } from '../check/params.ts'
import { Fault } from '../faults.ts'
import type { Revision } from '../revisions/revision.ts'
import type { TaskRecord } from './record.ts'
import type { TaskList } from './server-tasks.ts'
import { relatedTask } from './wire.ts'
import { requestOf } from './worker.ts'

export function createRecord(call: Call): TaskRecord {
  const { params = {}, peer, principal, server } = call
  const { platform } = server
  const now = platform.now()
  return {
    v: 1,
    id: platform.randomId(),
    principal: principal === undefined ? null : toKept(principal),
    node: server.tasks().node,
    runs: 1,
    request: {
      name: String(params['name']),
      arguments: checkOptionalObject(params, 'arguments'),
      meta: call.meta ?? {},
      ...(call.request.front === 'own' && { front: 'own' }),
    },
    revision: peer.revision.id,
    capabilities: peer.capabilities,
    createdAt: now,
    updatedAt: now,
    ttlMs: TTLS[peer.revision.tasks](call),
    answers: {},
    keys: {},
    questions: {},
    given: {},
    outcome: { status: 'working' },
  }
}

/** A principal without what somebody's authenticator may have hung on it. */
function toKept({ id, scopes, anonymous }: Principal): Principal {
  return { id, ...(scopes !== undefined && { scopes }), ...(anonymous === true && { anonymous }) }
}

/** Only in 2025-11-25 may the client say for how long it wants a task kept. */
const TTLS: Record<Revision['tasks'], (call: Call) => number | null> = {
  none: longest,
  core: (call) => {
    const { ttl } = checkOptionalObject(call.params, 'task')
    if (ttl === undefined || ttl === null) return longest(call)
    if (typeof ttl !== 'number' || !(ttl >= 0)) {
      throw new Fault('invalidParams', 'Invalid params: task.ttl: expected a number of milliseconds')
    }
    return Math.min(Math.max(1, Math.floor(ttl)), longest(call) ?? Number.MAX_SAFE_INTEGER)
  },
  extension: longest,
}

function longest({ server }: Call): number | null {
  const { taskTtlMs } = server.settings
  return Number.isFinite(taskTtlMs) ? taskTtlMs : null
}

/** Tasks are listed for whoever can be told from others; over a network without names that is a session. */
export function listOf({ principal, link, server }: Call): TaskList | undefined {
  const { taskTtlMs } = server.settings
  const ttl = Number.isFinite(taskTtlMs) ? { ttlMs: taskTtlMs } : {}
  if (principal === undefined) return { name: 'tasks-of-all', ttl }
  if (principal.anonymous !== true) return { name: `tasks-of/${principal.id}`, ttl }
  const session = link.carrier?.session
  return session === undefined ? undefined : { name: `tasks-of-session/${session}`, ttl }
}

/** The task's own call: cancelling the request that began it, or closing its connection, does not end it. */
export function createCall(record: TaskRecord, asked: Call): Call {
  const { peer, link } = asked
  const call = new Call(requestOf(record, asked.id), link, OUTLETS[peer.revision.tasks](asked, record.id))
  call.peer = peer
  call.answers = asked.answers
  call.state = asked.state
  return call
}

/** In 2025-11-25 a task may go on telling of its progress; in the extension it is silent. */
const OUTLETS: Record<Revision['tasks'], (call: Call, id: string) => Outlet> = {
  none: () => NOWHERE,
  core: ({ link, outlet: { headers } }, id) => ({
    headers,
    send(message) {
      if ('method' in message) link.notify(message.method, relatedTask(message.params, id))
    },
  }),
  extension: ({ outlet: { headers } }) => ({ ...NOWHERE, headers }),
}
