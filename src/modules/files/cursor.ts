/** Where a page ended, as clients carry it to the next. */
export function printPlace(tool: string, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([tool, ...place])).toString('base64url')
}

export function parsePlace(tool: string, cursor: string): readonly unknown[] {
  const [made, ...place] = parse(cursor)
  if (made === tool && place.length > 0) return place
  throw new Error(`cursor: this is none that ${tool} gave. Begin again without a cursor`)
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
