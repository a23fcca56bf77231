import { type Call, isObject, type JsonObject, type Relayed } from '../../kernel/index.ts'
import type { Listing } from './listing.ts'
import type { UpstreamRelay } from './relay.ts'

interface ListedTool {
  readonly own: JsonObject
  /** As it is listed here. */
  readonly named: JsonObject
  readonly tasks: Listing['tasks']
}

/** Whether a call of a tool may become a task: 2025-11-25 lists it, and with the extension it is told when it is called. */
export function tasksOffered({ own, named, tasks }: ListedTool, relay: UpstreamRelay): Partial<Relayed> {
  const { name } = own
  const listed = supportOf(own)
  const task = tasks === 'extension' ? 'maybe' : listed
  if (tasks === 'none' || (task !== 'maybe' && task !== 'optional' && task !== 'required')) return {}
  return {
    task,
    ...(task === 'maybe' && { relayed: { ...named, execution: { taskSupport: 'optional' } } }),
    tasks: {
      begin: (call) => relay.begin(call as Call, { name }), // The kernel's own face.
      follow: (call, tell) => relay.tasks.follow(call as Call, tell),
    },
  }
}

/** Whether 2025-11-25 lists that a call of a tool has to be a task. */
export function isTaskOnly(own: JsonObject): boolean {
  return supportOf(own) === 'required'
}

function supportOf({ execution }: JsonObject): unknown {
  return isObject(execution) ? execution['taskSupport'] : undefined
}
