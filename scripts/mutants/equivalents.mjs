import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf } from './sites.mjs'

const FILE = join(import.meta.dirname, 'equivalents.json')

/** Changes that somebody has looked at and that no behaviour can show, each with the reason, by their keys. */
export function readEquivalents() {
  return new Map(readListed().map((one) => [keyOf(one), one.why]))
}

/** What is listed and does not stand there any more. */
export function findGone(sites) {
  const keys = new Set(sites.map(({ key }) => key))
  const files = new Set(sites.map(({ file }) => file))
  return readListed().filter((one) => files.has(one.file) && !keys.has(keyOf(one)))
}

function readListed() {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}
