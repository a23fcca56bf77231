import type { Call } from '../calls/call.ts'
import { declaresExtension, needExtension } from '../calls/extension.ts'
import { isInvoked } from '../calls/invoked.ts'
import type { Server } from '../calls/server.ts'
import type { Lists } from '../catalogue/catalogue.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { Fault } from '../faults.ts'
import type { Revision } from '../revisions/revision.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'

type MayHaveTasks = Pick<Lists, 'tools'> & Pick<Server, 'hadTasks' | 'front'>

/** A tool that is gone may have left a task behind. */
export function hasTasks({ hadTasks, tools, front }: MayHaveTasks): boolean {
  if (hadTasks()) return true
  for (const tool of front?.tools ?? []) if (tool.task !== undefined) return true
  for (const tool of tools) if (tool.task !== undefined) return true
  return false
}

/** Whether this call of a tool is to become a task; throws where it may not be anything else and cannot be one. */
export function becomesTask(tool: OfferedTool, call: Call): boolean {
  return !isInvoked(call) && BECOMES[call.peer.revision.tasks](tool, call) // Whoever calls a tool from a tool waits for it.
}

const BECOMES: Record<Revision['tasks'], (tool: OfferedTool, call: Call) => boolean> = {
  /** A client that knows no tasks waits. */
  none: () => false,
  /** The client decides, within what the tool allows. */
  core: (tool, call) => {
    const asked = call.params?.['task'] !== undefined
    if (asked && tool.task === undefined && hasTasks(call.server))
      throw notAsTask(tool, 'cannot run as a task')
    if (!asked && tool.task === 'required' && call.request.front !== 'through')
      throw notAsTask(tool, 'runs as a task only')
    return asked && tool.task !== undefined
  },
  /** The server decides, for a client that has said it knows tasks. */
  extension: (tool, call) => {
    if (tool.task === 'required') needExtension(call, TASKS)
    return tool.task !== undefined && declaresExtension(call, TASKS)
  },
}

/** Whether the client has asked for a task, and could not read anything else but an error. */
export function expectsTask(call: Call): boolean {
  return isCore(call) && call.params?.['task'] !== undefined && hasTasks(call.server)
}

function notAsTask(tool: OfferedTool, reason: string): Fault {
  return new Fault('methodNotFound', `Method not found: the tool ${tool.key} ${reason}`)
}

export function isCore({ peer }: Call): boolean {
  return peer.revision.tasks === 'core'
}
