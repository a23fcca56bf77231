import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { Task } from '../../modules/task-list/index.ts'
import { oneLine, printable } from '../client/printable.ts'

const MARKS = { pending: '○', in_progress: '◐', done: '●', cancelled: '✕' } as const
const SIGNS = { low: '↓', normal: ' ', high: '!', urgent: '‼' } as const

/** Enough of an id to name a task by, and few enough letters to type. */
const SHORT = 6

/** A line for each task, in columns. */
export function printList(tasks: readonly Task[], width: number): string {
  if (tasks.length === 0) return 'Nothing to show.'
  const dueWidth = Math.max(0, ...tasks.map(({ due }) => (due === null ? 0 : dayOf(due).length)))
  return tasks
    .map((task) => {
      const due = task.due === null ? '' : dayOf(task.due)
      const when = dueWidth === 0 ? '' : ` ${due.padEnd(dueWidth)}`
      const head = `${MARKS[task.status]} ${shortId(task.id)} ${SIGNS[task.priority]}${when}`
      const notes = notesOf(task)
      const room = Math.max(20, width - head.length - notes.length - 3)
      return `${head} ${oneLine(task.description, room)}${notes}`
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

function dayOf(due: string): string {
  return due.slice(0, 16).replace('T', ' ')
}

function shortId(id: string): string {
  return id.replace('task_', '').slice(0, SHORT)
}

/** Everything about one task, and what has become of it. */
export function printTask(task: Task, parts: readonly Task[], entries: readonly JsonObject[]): string {
  const facts = [
    ['id', task.id],
    ['status', `${MARKS[task.status]} ${task.status.replace('_', ' ')}`],
    ['priority', task.priority],
    ['due', task.due],
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
    ...(parts.length === 0 ? [] : [`Parts:\n${printList(parts, 100)}`]),
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
