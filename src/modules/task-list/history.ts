import type { Task } from './task.ts'

/** One thing that was done to a task. */
export interface HistoryEntry {
  readonly at: string
  readonly what: 'created' | 'changed' | 'claimed' | 'released' | 'deleted' | 'restored'
  /** Who did it, as far as one knows. */
  readonly by?: string
  readonly changes: readonly FieldChange[]
}

interface FieldChange {
  readonly field: string
  /** As text; null where there was nothing. */
  readonly from: string | null
  readonly to: string | null
}

/** How many entries a task has at most: the oldest make way. */
export const MAX_ENTRIES = 100

/** A history tells what happened, and is no second copy of every text. */
const MAX_LENGTH = 200

const FIELDS = [
  'description',
  'status',
  'priority',
  'due',
  'tags',
  'parent',
  'blockedBy',
  'claimedBy',
] as const

type Noted = Pick<HistoryEntry, 'at' | 'what'> & { readonly by?: string | undefined }

/** What is written down when a task becomes another. */
export function noteChange({ at, what, by }: Noted, before?: Task, after?: Task): HistoryEntry {
  const changes = FIELDS.flatMap((field) => {
    const [from, to] = [textOf(before?.[field]), textOf(after?.[field])]
    return before === undefined || after === undefined || from === to ? [] : [{ field, from, to }]
  })
  return { at, what, ...(by !== undefined && { by: shorten(by) }), changes }
}

function textOf(value: string | readonly string[] | null | undefined): string | null {
  if (value === null || value === undefined || value.length === 0) return null
  return shorten(typeof value === 'string' ? value : value.join(', '))
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
