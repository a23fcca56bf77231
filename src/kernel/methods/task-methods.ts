import type { Call } from '../calls/call.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { TaskRecord } from '../tasks/record.ts'

/** The methods of tasks. Few servers have any, so what they take is loaded when one is first called. */
const load = () => import('./tasks.ts')

export async function getTask(call: Call): Promise<Result> {
  return (await load()).getTask(call)
}

export async function getTaskResult(call: Call): Promise<Result> {
  return (await load()).getTaskResult(call)
}

export async function listTasks(call: Call): Promise<Result> {
  return (await load()).listTasks(call)
}

export async function updateTask(call: Call): Promise<Result> {
  return (await load()).updateTask(call)
}

export async function cancelTask(call: Call): Promise<Result> {
  return (await load()).cancelTask(call)
}

export async function watchTasks(ids: readonly string[], call: Call): Promise<readonly string[]> {
  return (await load()).watchTasks(ids, call)
}

export async function endedTasks(ids: readonly string[], call: Call): Promise<readonly TaskRecord[]> {
  return (await load()).endedTasks(ids, call)
}
