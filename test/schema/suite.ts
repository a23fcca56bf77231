import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { findJsonSchemaSuite } from '../../scripts/json-schema-suite.mjs'

const suite = findJsonSchemaSuite()

/** The suite is not ours to keep; where it cannot be had, this says why. */
export const MISSING = suite.missing

/** Which cases there are: Debian's edition has fewer than a checkout. */
export const EDITION = suite.edition

const FOLDER = suite.folder ?? ''

export interface Case {
  readonly file: string
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

export type Draft = 'draft2020-12' | 'draft7'

/** The cases of one folder of the suite: `''` is what is required. */
export function readCases(draft: Draft, folder: '' | 'optional' | 'optional/format'): readonly Case[] {
  if (MISSING !== undefined) return []
  const path = join(FOLDER, 'tests', draft, folder)
  return readdirSync(path)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const cases: readonly Omit<Case, 'file'>[] = JSON.parse(readFileSync(join(path, file), 'utf8'))
      return cases.map((one) => ({ ...one, schema: inDraft(one.schema, draft), file }))
    })
}

/** Cases of draft-07 do not say what they are written in. */
function inDraft(schema: unknown, draft: Draft): unknown {
  if (draft !== 'draft7' || typeof schema !== 'object') return schema
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
}

/** The schemas that cases refer to, by the addresses that the suite wants them at. */
export function readRemotes(): ReadonlyMap<string, unknown> {
  if (MISSING !== undefined) return new Map()
  const path = join(FOLDER, 'remotes')
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  )
  return new Map(
    files.map((file) => [
      `http://localhost:1234/${file.split(sep).join('/')}`,
      JSON.parse(readFileSync(join(path, file), 'utf8')),
    ]),
  )
}
