export type JsonRecord = { readonly [name: string]: unknown }

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a text holds, if it is JSON; undefined otherwise. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface JsonTable {
  readonly columns: readonly string[]
  readonly rows: readonly JsonRecord[]
}

const [MOST_COLUMNS, LEAST_ROWS] = [12, 2]

/** A list of objects that have mostly the same members is a table. */
export function toTable(value: unknown): JsonTable | undefined {
  if (!Array.isArray(value) || value.length < LEAST_ROWS || !value.every(isRecord)) return undefined
  const counts = new Map<string, number>()
  for (const row of value) for (const name of Object.keys(row)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const columns = [...counts.keys()]
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return undefined
  const filled = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return filled >= (value.length * columns.length) / 2 ? { columns, rows: value } : undefined
}

/** What is one level inside a value, by name. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((one, index) => [String(index), one] as const)
  return isRecord(value) ? Object.entries(value) : []
}

/** A value in a few words, for a line. */
export function summarize(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.length} ]`
  if (isRecord(value)) return Object.keys(value).length === 0 ? '{}' : `{ ${Object.keys(value).length} }`
  return JSON.stringify(value) ?? 'undefined'
}

/** A member of its own: some names are those of what every object has. */
export function memberOf(value: JsonRecord, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
