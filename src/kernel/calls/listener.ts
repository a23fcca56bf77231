import type { Audience } from '../callers/audience.ts'
import type { TaskRecord } from '../tasks/record.ts'

/** The lists whose changes are told. */
export type ListName = 'tools' | 'resources' | 'prompts'

/** A list has changed, for some. */
export interface ChangedList {
  readonly list: ListName
  readonly audiences: readonly Audience[]
}

/** Something clients may want to be told. */
export type ServerChange =
  | ChangedList
  /** To everybody who wants to hear of it, or on one conversation alone. */
  | { readonly resource: string; readonly link?: object | undefined }
  | { readonly task: TaskRecord }
  /** Anything may have changed while we could not hear of it. */
  | typeof ANYTHING

/**
 * What a change says that may be any of them.
 * @example link.listener?.tell(ANYTHING)
 */
export const ANYTHING = { anything: true } as const

/** Somebody who is told of changes; `end` is called when the server stops. */
export interface Listener {
  tell(change: ServerChange): void
  end(): void
  /** What tells of tasks that its client has begun, where that is told unasked, by their ids. */
  followed?: Map<string, (task: TaskRecord) => void>
}
