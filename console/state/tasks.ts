import { keep, recall } from './keeping.ts'
import { Store } from './store.ts'

/** A task this page began, which goes on at the server's whether anybody looks or not. */
export interface KnownTask {
  readonly taskId: string
  readonly endpoint: string
  readonly revision: string
  readonly tool: string
  readonly args: unknown
  readonly startedAt: number
  readonly status: string
  readonly statusMessage?: string | undefined
}

const MOST = 30

/** Outlives a reload of the page. */
export const tasks = new Store<readonly KnownTask[]>(recall<readonly KnownTask[]>('tasks', []))

tasks.subscribe((all) => keep('tasks', all))

export function rememberTask(task: KnownTask): void {
  tasks.change((all) => [task, ...all.filter((one) => one.taskId !== task.taskId)].slice(0, MOST))
}

export function noteTask(taskId: string, status: string, statusMessage?: string): void {
  tasks.change((all) => all.map((one) => (one.taskId === taskId ? { ...one, status, statusMessage } : one)))
}

export function forgetTask(taskId: string): void {
  tasks.change((all) => all.filter((one) => one.taskId !== taskId))
}

export function isUnderWay({ status }: { readonly status: string }): boolean {
  return status === 'working' || status === 'input_required'
}
