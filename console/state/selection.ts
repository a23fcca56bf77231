import { keep, recall } from './keeping.ts'
import { Store } from './store.ts'

/** What the middle of the page shows. */
export interface Selection {
  readonly kind:
    | 'home'
    | 'tool'
    | 'resource'
    | 'template'
    | 'prompt'
    | 'task'
    | 'session'
    | 'node'
    | 'upstream'
    | 'board'
    | 'comparison'
    | 'history'
  readonly key: string
}

export const HOME: Selection = { kind: 'home', key: '' }

export const selection = new Store<Selection>(recall<Selection>('selection', HOME))

/** On a narrow screen one part is shown at a time. */
export const side = new Store<'left' | 'middle' | 'right'>('middle')

export function select(next: Selection): void {
  selection.set(next)
  keep('selection', next)
  side.set('middle')
}

export function isSelected(one: Selection, other: Selection): boolean {
  return one.kind === other.kind && one.key === other.key
}

/** What has been filled in and not been sent, by what it is for. */
export const drafts = new Map<string, unknown>()
