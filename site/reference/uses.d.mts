import type { ReferenceExport } from './entries.d.mts'
import type { ReadModule } from './modules.d.mts'

export function createUses(
  read: ReadModule,
  exports: readonly ReferenceExport[],
): (key: string) => readonly ReferenceExport[]
