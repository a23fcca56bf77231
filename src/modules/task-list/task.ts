import { randomBytes } from 'node:crypto'

export const STATUSES = ['pending', 'in_progress', 'done', 'cancelled'] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

export type Status = (typeof STATUSES)[number]
export type Priority = (typeof PRIORITIES)[number]

/** What is still to be done. */
export const OPEN = ['pending', 'in_progress'] as const satisfies readonly Status[]
export const CLOSED = ['done', 'cancelled'] as const satisfies readonly Status[]

/** A task as it is kept. */
export interface Task {
  readonly id: string
  readonly description: string
  readonly status: Status
  readonly priority: Priority
  /** A date, or a date and time, as it was given. */
  readonly due: string | null
  readonly tags: readonly string[]
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt: string | null
  // What follows is there only where it says something: a task that uses none of it looks as it always did.
  /** The task that it is a part of. */
  readonly parent?: string
  /** The tasks that must be closed before it can be begun. */
  readonly blockedBy?: readonly string[]
  /** Who works on it, until when unless they say so again. */
  readonly claimedBy?: string
  readonly claimedUntil?: string
}

export interface Wish {
  readonly description: string
  readonly priority: Priority
  readonly due: string | null
  readonly tags: readonly string[]
  readonly parent?: string | null
  readonly blockedBy?: readonly string[]
}

/**
 * A new task with an id of its own.
 * @example const created = (now: Date) => createTask({ description: 'Pack', priority: 'high', due: null, tags: [] }, now.toISOString())
 */
export function createTask(wish: Wish, at: string): Task {
  const { description, priority, due, tags, parent = null, blockedBy = [] } = wish
  return {
    id: createId(),
    description,
    status: 'pending',
    priority,
    due,
    tags,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    ...(parent !== null && { parent }),
    ...(blockedBy.length > 0 && { blockedBy }),
  }
}

/** Whether somebody works on it at an instant. */
export function isClaimed({ claimedUntil }: Task, at: string): boolean {
  return claimedUntil !== undefined && claimedUntil > at
}

export function uriOf(id: string): string {
  return `task://${id}`
}

/** Crockford's base 32: no capitals, since URIs may lose theirs, and nothing that is read as something else. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Eighty bits of chance: nobody guesses one, and no two processes ever make the same. */
function createId(): string {
  return `task_${[...randomBytes(16)].map((byte) => DIGITS[byte % DIGITS.length]).join('')}`
}
