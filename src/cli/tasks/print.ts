import { isObject, type JsonObject } from '../../kernel/index.ts'
import { isOpen } from '../../modules/task-list/change.ts'
import type { Task } from '../../modules/task-list/index.ts'
import { localTime } from '../../modules/task-list/zone.ts'
import { oneLine, printable } from '../client/printable.ts'
import { cutToWidth, widthOf } from './columns.ts'

const MARKS = { pending: '○', in_progress: '◐', done: '●', cancelled: '✕' } as const
const SIGNS = { low: '↓', normal: ' ', high: '!', urgent: '‼' } as const

/** Enough of an id to name a task by, and few enough letters to type. */
const SHORT = 6

/** Who looks at a list: how wide the terminal is, and where the clock hangs. */
export interface ListReader {
  readonly width: number
  readonly zone?: string | undefined
}

/** A line for each task, in columns. */
export function printList(tasks: readonly Task[], { width, zone }: ListReader): string {
  if (tasks.length === 0) return 'Nothing to show.'
  const now = new Date()
  const days = tasks.map(({ due }) => (due === null ? '' : printDue(due, zone)))
  const dueWidth = Math.max(...days.map((day) => day.length))
  return tasks
    .map((task, index) => {
      const when = dueWidth === 0 ? '' : ` ${days[index]?.padEnd(dueWidth)}`
      const head = `${MARKS[task.status]} ${shortId(task.id)} ${SIGNS[task.priority]}${when}`
      const notes = `${notesOf(task)}${isOverdue(task, now, zone) ? ' (overdue)' : ''}`
      const room = Math.max(20, width - widthOf(head) - widthOf(notes) - 2)
      return `${head} ${cutToWidth(oneLine(task.description, width), room)}${notes}`
    })
    .join('\n')
}

function notesOf({ tags, claimedBy, blockedBy = [] }: Task): string {
  const notes = [
    ...tags.map((tag) => ` #${printable(tag)}`),
    ...(claimedBy === undefined ? [] : [` @${oneLine(claimedBy, 30)}`]),
    ...(blockedBy.length === 0 ? [] : [` after ${blockedBy.map(shortId).join(', ')}`]),
  ]
  return notes.join('')
}

/** A day is the same for everybody; a time is what the reader's clock shows then. */
function printDue(due: string, zone?: string): string {
  if (!due.includes('T')) return due
  const { date, time } = localTime(new Date(due), zone)
  return `${date} ${time.slice(0, 5)}`
}

function isOverdue({ due, status }: Task, now: Date, zone?: string): boolean {
  if (due === null || !isOpen(status)) return false
  return due.includes('T') ? new Date(due) < now : due < localTime(now, zone).date
}

function shortId(id: string): string {
  return id.replace('task_', '').slice(0, SHORT)
}

interface ShownTask {
  readonly task: Task
  readonly parts: readonly Task[]
  readonly entries: readonly JsonObject[]
  readonly zone: string | undefined
}

/** Everything about one task, and what has become of it. */
export function printTask({ task, parts, entries, zone }: ShownTask): string {
  const facts = [
    ['id', task.id],
    ['status', `${MARKS[task.status]} ${task.status.replace('_', ' ')}`],
    ['priority', task.priority],
    ['due', task.due === null ? null : printDue(task.due, zone)],
    ['tags', task.tags.join(', ')],
    ['part of', task.parent],
    ['after', task.blockedBy?.join(', ')],
    ['claimed', task.claimedBy === undefined ? undefined : `by ${task.claimedBy} until ${task.claimedUntil}`],
    ['created', task.createdAt],
    ['changed', task.updatedAt],
    ['done', task.completedAt],
  ].filter(([, value]) => value !== undefined && value !== null && value !== '')
  return [
    printable(task.description),
    facts.map(([name, value]) => `  ${String(name).padEnd(9)}${printable(String(value))}`).join('\n'),
    ...(parts.length === 0 ? [] : [`Parts:\n${printList(parts, { width: 100, zone })}`]),
    ...(entries.length === 0 ? [] : [`History:\n${entries.map(printEntry).join('\n')}`]),
  ].join('\n\n')
}

function printEntry({ at, what, by, changes }: JsonObject): string {
  const all = Array.isArray(changes) ? changes.filter(isObject) : []
  const told = all.map(({ field, from, to }) => `${field}: ${from ?? '–'} → ${to ?? '–'}`)
  return oneLine(`${at} ${what}${by === undefined ? '' : ` by ${by}`} ${told.join('; ')}`, 300).replace(
    /^/,
    '  ',
  )
}

/** A task of a Markdown check-list. */
export function printItem({ id, description, status, priority, due, tags }: Task): string {
  const notes = [
    ...(status === 'pending' || status === 'done' ? [] : [status.replace('_', ' ')]),
    ...(priority === 'normal' ? [] : [`priority ${priority}`]),
    ...(due === null ? [] : [`due ${due}`]),
    ...tags.map((tag) => `#${tag}`),
    id,
  ]
  return `- [${status === 'done' ? 'x' : ' '}] ${oneLine(description, 10_000)} (${printable(notes.join('; '))})`
}
