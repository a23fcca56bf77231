import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'equivalents.json')

/** Changes that somebody has looked at and that no behaviour can show, each with the reason. */
export function readEquivalents() {
  return new Map(existsSync(FILE) ? Object.entries(JSON.parse(readFileSync(FILE, 'utf8'))) : [])
}
