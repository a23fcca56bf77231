import type { Lists } from '../catalogue.ts'
import type { TaskDesk } from './desk.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'

/** A tool that is gone may have left a task behind. */
export function hasTasks({ tasks, tools }: { readonly tasks: TaskDesk } & Pick<Lists, 'tools'>): boolean {
  if (tasks.used) return true
  for (const tool of tools) if (tool.task !== undefined) return true
  return false
}
