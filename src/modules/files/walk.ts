import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Directory, openDirectory } from '../../confined/confine.ts'
import { codeOf } from '../../confined/explain.ts'
import { isInside, type Place } from '../../confined/locate.ts'
import { readEntries } from '../../confined/read-entries.ts'
import { Effort } from './effort.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { inOrder } from './in-order.ts'

/** Something in a folder or below it. */
export interface WalkedEntry {
  /** From where the walk began, with slashes. */
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
  readonly place: Place
}

/** Entries of one folder, one after the other; none where many were left out. */
export interface WalkedRow {
  readonly entries: readonly WalkedEntry[]
  /** The path of the first of them, or of the last that was left out: a walk that begins there goes on from here. */
  readonly at: string
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
  /** Counts what it costs. */
  readonly effort?: Effort | undefined
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
  const { from, depth = DEEPEST, ignoring, effort = new Effort() } = options
  const rules = ignoring ? await rulesAbove(start, effort) : IgnoreRules.NONE
  const level = { place: start, path: '', rules, from: from?.split('/') ?? [], depth }
  yield* walkFolder(level, { ignoring, effort })
}

interface Walking {
  readonly ignoring: boolean
  readonly effort: Effort
}

async function* walkFolder(level: Level, how: Walking): AsyncGenerator<WalkedRow> {
  const { place, path, from, depth } = level
  const { ignoring, effort } = how
  const directory = await openDirectory(place)
  try {
    const base = fromRoot(place)
    const rules = ignoring ? await level.rules.enter({ directory, place, path: base }, effort) : level.rules
    const [first, ...rest] = from
    let entries: WalkedEntry[] = []
    let passed = 0
    for await (const entry of inOrder(await readEntries(directory), first)) {
      const [kind, { name }] = [kindOf(entry), entry]
      const [own, below] = [joinNames(path, name), { root: place.root, path: join(place.path, name) }]
      const isIgnored = ignoring && (await rules.ignores({ path: joinNames(base, name), kind }, effort))
      const isOnTheWay = name === first && rest.length > 0
      if (!isIgnored && !isOnTheWay) entries.push({ path: own, kind, place: below })
      const descends = !isIgnored && kind === 'folder' && depth > 1
      // Where a walk began it does not end: the next one would begin there again.
      const isLong = (++passed >= ROW || effort.isSpent) && name !== first
      if (isLong || (descends && entries.length > 0)) {
        yield { entries, at: entries[0]?.path ?? own, directory }
        ;[entries, passed] = [[], 0]
      }
      if (!descends) continue
      const next = { place: below, path: own, rules, from: isOnTheWay ? rest : [] }
      yield* skippingGone(walkFolder({ ...next, depth: depth - 1 }, how))
    }
    if (entries[0] !== undefined) yield { entries, at: entries[0].path, directory }
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
async function rulesAbove({ root, path }: Place, effort: Effort): Promise<IgnoreRules> {
  const names = isInside(root, path) ? fromRoot({ root, path }).split('/') : []
  let rules = IgnoreRules.NONE
  for (let count = 0; count < names.length && names[0] !== ''; count++) {
    const place = { root, path: join(root, ...names.slice(0, count)) }
    const directory = await openDirectory(place)
    try {
      rules = await rules.enter({ directory, place, path: names.slice(0, count).join('/') }, effort)
    } finally {
      await directory.close()
    }
  }
  return rules
}

function fromRoot({ root, path }: Place): string {
  return relative(root, path).split(sep).join('/')
}
