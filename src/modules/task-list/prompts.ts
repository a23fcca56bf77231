import { definePrompt } from '../../authoring/define.ts'
import { Fault, type PromptDefinition } from '../../kernel/index.ts'
import { createAgenda } from './agenda.ts'
import type { Desk } from './context.ts'
import { dayOf, startOfDayBefore } from './day.ts'
import { checkDate } from './due.ts'
import { printSections } from './print-tasks.ts'
import { OPEN } from './task.ts'
import { telling } from './tell-database-errors.ts'

/** A model has patience, but not without end. */
const MAX_TASKS = 500

export function planDay({ store, now, zone }: Desk): PromptDefinition {
  return definePrompt({
    name: 'plan_day',
    title: 'Plan the day',
    description: 'Plan a day out of the open tasks',
    arguments: [{ name: 'date', description: 'The day to plan, such as 2026-11-20; today unless given' }],
    scopes: ['tasks:read'],
    render: ({ date }) =>
      telling(async () => {
        const day = date === undefined ? dayOf(now(), zone) : checkDay(date)
        const { tasks } = await store.list({ statuses: OPEN }, { limit: MAX_TASKS })
        const { overdue, underWay, dueThen, later } = createAgenda(tasks, day, zone)
        return [
          `Help me plan ${day}. These are my open tasks.`,
          printSections({
            Overdue: overdue,
            'In progress': underWay,
            [`Due on ${day}`]: dueThen,
            'Everything else': later,
          }),
          'Propose what to do on that day and in which order: what is overdue, under way or due first, then what matters most. Say what can wait, and ask where a task is unclear. Change no task before I agree.',
        ].join('\n\n')
      }),
  })
}

export function standup({ store, now, zone }: Desk): PromptDefinition {
  return definePrompt({
    name: 'standup',
    title: 'Stand-up',
    description: 'Report what was done since yesterday, what is under way and what is in the way',
    scopes: ['tasks:read'],
    render: () =>
      telling(async () => {
        const day = dayOf(now(), zone)
        const completedSince = startOfDayBefore(day, zone).toISOString()
        const done = await store.list({ statuses: ['done'], completedSince }, { limit: MAX_TASKS })
        const open = await store.list({ statuses: OPEN }, { limit: MAX_TASKS })
        const { overdue, underWay, dueThen } = createAgenda(open.tasks, day, zone)
        return [
          `Write my stand-up report for ${day} from my task list.`,
          printSections({
            'Done since yesterday': done.tasks,
            'In progress': underWay,
            'Due today': dueThen,
            Overdue: overdue,
          }),
          'Three short parts: what I did, what I do next, what is in the way. Say nothing that the list does not.',
        ].join('\n\n')
      }),
  })
}

function checkDay(date: string): string {
  try {
    return checkDate('date', date)
  } catch (error) {
    throw new Fault('invalidParams', `Invalid params: ${(error as Error).message}`) // It throws nothing else.
  }
}
