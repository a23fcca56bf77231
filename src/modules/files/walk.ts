import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Directory, openDirectory } from '../../confined/confine.ts'
import { codeOf } from '../../confined/explain.ts'
import { isInside, type Place } from '../../confined/locate.ts'
import { readEntries } from '../../confined/read-entries.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { inOrder } from './in-order.ts'

/** Something in a folder or below it. */
export interface WalkedEntry {
  /** From where the walk began, with slashes. */
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
  readonly place: Place
}

/** Entries of one folder, one after the other. */
export interface WalkedRow {
  readonly entries: readonly WalkedEntry[]
  /** Their folder, held open until the next row is asked for. */
  readonly directory: Directory
}

export interface WalkOptions {
  /** The path of an entry to begin with, or after what would come there. */
  readonly from?: string | undefined
  /** How many folders deep. */
  readonly depth?: number | undefined
  /** Whether what `.gitignore` names is left out. */
  readonly ignoring: boolean
}

/** Each folder on the way is held open, so that there must be an end to it. */
export const DEEPEST = 100

/** So many entries make a row: what is done with them may be done at once. */
const ROW = 64

interface Level {
  readonly place: Place
  /** From where the walk began. */
  readonly path: string
  readonly rules: IgnoreRules
  /** The names of the entry to begin with, from this folder on. */
  readonly from: readonly string[]
  readonly depth: number
}

/**
 * All there is below a folder, in the order of the names, each folder followed by what is in it: so a path says how
 * far a walk has come, and another can go on from there. Links are not followed.
 */
export async function* walk(start: Place, options: WalkOptions): AsyncGenerator<WalkedRow> {
  const { from, depth = DEEPEST, ignoring } = options
  const rules = ignoring ? await rulesAbove(start) : IgnoreRules.NONE
  const level = { place: start, path: '', rules, from: from?.split('/') ?? [], depth }
  yield* walkFolder(level, ignoring)
}

async function* walkFolder(level: Level, ignoring: boolean): AsyncGenerator<WalkedRow> {
  const { place, path, from, depth } = level
  const directory = await openDirectory(place)
  try {
    const base = fromRoot(place)
    const rules = ignoring ? await level.rules.enter(directory, place, base) : level.rules
    const [first, ...rest] = from
    let entries: WalkedEntry[] = []
    for await (const entry of inOrder(await readEntries(directory), first)) {
      const [kind, { name }] = [kindOf(entry), entry]
      if (ignoring && rules.ignores(joinNames(base, name), kind === 'folder' ? 'folder' : 'file')) continue
      const below = { root: place.root, path: join(place.path, name) }
      const isOnTheWay = name === first && rest.length > 0
      if (!isOnTheWay) entries.push({ path: joinNames(path, name), kind, place: below })
      const descends = kind === 'folder' && depth > 1
      if (entries.length > 0 && (descends || entries.length === ROW)) {
        yield { entries, directory }
        entries = []
      }
      if (!descends) continue
      const next = { place: below, path: joinNames(path, name), rules, from: isOnTheWay ? rest : [] }
      yield* skippingGone(walkFolder({ ...next, depth: depth - 1 }, ignoring))
    }
    if (entries.length > 0) yield { entries, directory }
  } finally {
    await directory.close()
  }
}

function joinNames(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

/** What was there a moment ago, or may not be looked into, is passed over. */
async function* skippingGone(rows: AsyncGenerator<WalkedRow>): AsyncGenerator<WalkedRow> {
  try {
    yield* rows
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

function kindOf(entry: Dirent): WalkedEntry['kind'] {
  if (entry.isDirectory()) return 'folder'
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** The rules of the folders between the root and where a walk begins. */
async function rulesAbove({ root, path }: Place): Promise<IgnoreRules> {
  const names = isInside(root, path) ? fromRoot({ root, path }).split('/') : []
  let rules = IgnoreRules.NONE
  for (let count = 0; count < names.length && names[0] !== ''; count++) {
    const place = { root, path: join(root, ...names.slice(0, count)) }
    const directory = await openDirectory(place)
    try {
      rules = await rules.enter(directory, place, names.slice(0, count).join('/'))
    } finally {
      await directory.close()
    }
  }
  return rules
}

function fromRoot({ root, path }: Place): string {
  return relative(root, path).split(sep).join('/')
}
