/** A position in the list as clients carry it from page to page. */
export function printCursor(position: number): string {
  return Buffer.from(`${PREFIX}${position}`).toString('base64url')
}

export function parseCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  const position = Number(text.slice(PREFIX.length))
  if (Number.isSafeInteger(position) && printCursor(position) === cursor) return position
  throw new Error('cursor: this is none that list_tasks gave. Begin again without a cursor')
}

const PREFIX = 'before:'
