/** Written out, so that a change in the kernel's own list is noticed here. */
export const REVISION_IDS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type RevisionId = (typeof REVISION_IDS)[number]

/** The first revision that has no handshake. */
export const FIRST_WITHOUT_HANDSHAKE: RevisionId = '2026-07-28'

/** Reads `all`, `2025-03-26`, `..2025-06-18`, `2025-06-18..`, and several of these with commas between them. */
export function readRevisions(text: string): readonly RevisionId[] {
  if (text === 'all') return REVISION_IDS
  const ranges = text.split(',').map((part) => readRange(part.trim()))
  return REVISION_IDS.filter((_id, index) => ranges.some(([from, to]) => from <= index && index <= to))
}

function readRange(text: string): readonly [number, number] {
  const [from = '', to = from] = text.split('..')
  return [from === '' ? 0 : indexOf(from), to === '' ? REVISION_IDS.length - 1 : indexOf(to)]
}

function indexOf(id: string): number {
  const index = (REVISION_IDS as readonly string[]).indexOf(id)
  if (index < 0) throw new Error(`there is no revision ${id}`)
  return index
}
