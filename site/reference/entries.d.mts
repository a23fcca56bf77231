import type { ReadModule } from './modules.d.mts'

export interface ReferenceExport {
  readonly name: string
  /** Where it is declared; the same for all names that lead there. */
  readonly key: string
  readonly kind: 'function' | 'class' | 'value' | 'type'
  readonly text: string
  readonly comment: string
  readonly examples: readonly string[]
}

export interface ReferenceEntry {
  /** What is imported: `perigee/client`. */
  readonly name: string
  /** Where only some runtimes get it: `workerd`. */
  readonly condition: string | undefined
  readonly file: string
  readonly exports: readonly ReferenceExport[]
}

export function readEntries(root: string, read?: ReadModule): readonly ReferenceEntry[]
