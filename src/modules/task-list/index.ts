import { defineModule, type Module } from '../../authoring/define.ts'
import type { Desk } from './context.ts'
import { openTaskStore } from './open-task-store.ts'
import { planDay, standup } from './prompts.ts'
import { oneTask, openTasks } from './resources.ts'
import { Room } from './room.ts'
import type { TaskStore } from './task-store.ts'
import { tools } from './tools.ts'
import { checkZone } from './zone.ts'

export { createTask, type Task } from './task.ts'
export type { TaskStore }
export { openTaskStore }

/** Where the tasks are kept, and whose clock they go by. */
export interface TaskListOptions {
  /**
   * Where the tasks are; in memory unless said. One that is given by its URL, `sqlite:PATH` or `postgres://…`, is closed
   * with the server; one that somebody has opened stays theirs to close.
   */
  readonly store?: TaskStore | string
  readonly now?: () => Date
  /** The time zone of whoever the list is of, such as `Europe/Berlin`; the one of the process unless said. */
  readonly zone?: string
}

/**
 * Tasks of a person and their agents, kept in a store.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [taskList({ store: 'sqlite:tasks.db' })] })
 */
export function taskList(options: TaskListOptions = {}): Module {
  const { store: given = 'memory:', now = () => new Date(), zone } = options
  const store = typeof given === 'string' ? openTaskStore(given) : given
  const desk: Desk = { store, room: new Room(), now, zone: zone === undefined ? zone : checkZone(zone) }
  return defineModule({
    name: 'task-list',
    tools: tools(desk),
    resources: [openTasks(desk)],
    templates: [oneTask(desk)],
    prompts: [planDay(desk), standup(desk)],
    ...(typeof given === 'string' && { close: () => store.close() }),
  })
}
