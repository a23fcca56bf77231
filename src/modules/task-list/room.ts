import { type BudgetName, overBudget, type AuthorServer as Server } from '../../kernel/index.ts'
import type { CheckRoom } from './task-store.ts'

/** How far a task list that is kept in memory may grow, by the budgets of the server that offers it. */
export class Room {
  readonly #watched = new WeakSet<Server>()

  on(server: Server): CheckRoom {
    return (held, more) => {
      this.#watch(server, held)
      if (more.tasks > 0) check(server, 'maxListedTasks', held.tasks + more.tasks)
      if (more.bytes > 0) check(server, 'maxTaskListBytes', held.bytes + more.bytes)
    }
  }

  #watch(server: Server, held: Parameters<CheckRoom>[0]): void {
    if (this.#watched.has(server)) return
    this.#watched.add(server)
    server.usage.watch('maxListedTasks', () => held.tasks)
    server.usage.watch('maxTaskListBytes', () => held.bytes)
  }
}

function check(server: Server, name: BudgetName, wanted: number): void {
  const wrong = overBudget(server, name, wanted)
  if (wrong === undefined) return
  throw new Error(
    `The task list is kept in memory and full: ${wrong}. Delete tasks that nobody needs, or have the server keep them in sqlite:PATH instead of memory:`,
  )
}
