import { dayOf } from './day.ts'
import { PRIORITIES, type Task } from './task.ts'

/** Open tasks as a day sees them, each in one list, what matters most first. */
export interface Agenda {
  readonly overdue: readonly Task[]
  readonly underWay: readonly Task[]
  readonly dueThen: readonly Task[]
  readonly later: readonly Task[]
}

export function createAgenda(tasks: readonly Task[], day: string, zone?: string): Agenda {
  const sorted = tasks.toSorted(byImportance)
  const listed = (name: keyof Agenda) => sorted.filter((task) => listOf(task, day, zone) === name)
  return {
    overdue: listed('overdue'),
    underWay: listed('underWay'),
    dueThen: listed('dueThen'),
    later: listed('later'),
  }
}

function listOf(task: Task, day: string, zone?: string): keyof Agenda {
  const due = dueDay(task, zone)
  if (due !== undefined && due < day) return 'overdue'
  if (task.status === 'in_progress') return 'underWay'
  return due === day ? 'dueThen' : 'later'
}

/** A date is the same for everybody; a time falls on a day of a zone. */
function dueDay({ due }: Task, zone?: string): string | undefined {
  if (due === null) return undefined
  return due.includes('T') ? dayOf(new Date(due), zone) : due
}

function byImportance(one: Task, other: Task): number {
  const rank = (task: Task) => PRIORITIES.indexOf(task.priority)
  return rank(other) - rank(one) || compare(one.due ?? NEVER, other.due ?? NEVER)
}

const NEVER = '9'

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
