import { createHash } from 'node:crypto'

/** An index of PostgreSQL's holds 2,704 bytes, and a character has up to three. */
const LONGEST = 600

/** What a name is kept by: callers may ask for any, and what no text or no index of a database can hold goes by its hash. */
export function keptName(name: string): string {
  if (name.length <= LONGEST && !name.includes('\0')) return name
  return `sha256:${createHash('sha256').update(name).digest('hex')}`
}
