import { defineModule, type Module } from '../../authoring/define.ts'
import type { Desk } from './context.ts'
import { planDay, standup } from './prompts.ts'
import { oneTask, openTasks } from './resources.ts'
import { Room } from './room.ts'
import type { TaskStore } from './task-store.ts'
import { tools } from './tools.ts'

export { openTaskStore } from './open-task-store.ts'
export { createTask, type Task } from './task.ts'
export type { TaskStore }

export interface TaskListOptions {
  readonly now?: () => Date
}

/** Tasks of a person and their agents, kept in a store. */
export function taskList(store: TaskStore, { now = () => new Date() }: TaskListOptions = {}): Module {
  const desk: Desk = { store, room: new Room(), now }
  return defineModule({
    name: 'task-list',
    tools: tools(desk),
    resources: [openTasks(desk)],
    templates: [oneTask(desk)],
    prompts: [planDay(desk), standup(desk)],
  })
}
