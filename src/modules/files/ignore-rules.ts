import { join } from 'node:path'
import { type Directory, openIn } from '../../confined/confine.ts'
import { printName } from '../../confined/explain.ts'
import type { Place } from '../../confined/locate.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import type { Effort } from './effort.ts'
import { compileOne, namesOf, type PathMatcher } from './glob.ts'
import type { Name } from './name-pattern.ts'
import type { WalkedEntry } from './walk.ts'

/** What version control keeps for itself, and no `.gitignore` names. */
const ALWAYS = '.git'

/** A longer list of rules is read so far. */
const MOST_BYTES = 64 * 1024

/** So many rules hold at once, from the root down to a folder: every one is held against every name. */
const MOST_RULES = 2000

/** No rule that somebody has written is longer. */
const LONGEST_RULE = 1000

interface IgnoreRule {
  readonly matches: PathMatcher
  readonly folders: boolean
  readonly isAgainst: boolean
}

/** Where rules stand: a folder that is held open, and its path from the root. */
interface RulesPlace {
  readonly directory: Directory
  readonly place: Place
  readonly path: string
}

/** What a folder's `.gitignore` and those above it say. */
export class IgnoreRules {
  static readonly NONE = new IgnoreRules([], 0, undefined)

  /** The last one first, since it decides. */
  readonly #rules: readonly IgnoreRule[]
  /** How many names deep its folder is below the root. */
  readonly #depth: number
  readonly #above: IgnoreRules | undefined
  readonly #count: number

  constructor(rules: readonly IgnoreRule[], depth: number, above: IgnoreRules | undefined) {
    this.#rules = rules
    this.#depth = depth
    this.#above = above
    this.#count = rules.length + (above === undefined ? 0 : above.#count)
  }

  /** The rules inside a folder; those that are too many or too long are left out, and that is noted. */
  async enter({ directory, place, path }: RulesPlace, effort: Effort): Promise<IgnoreRules> {
    const { text, isWhole } = await readRules(directory, place)
    const lines = linesOf(text)
    const short = lines.filter(({ length }) => length <= LONGEST_RULE)
    const rules = short.slice(0, MOST_RULES - this.#count).map(parseRule)
    effort.count(text.length)
    if (!isWhole || rules.length < lines.length)
      effort.unread.add(path === '' ? '.gitignore' : `${path}/.gitignore`)
    return rules.length === 0
      ? this
      : new IgnoreRules(rules.reverse(), path === '' ? 0 : path.split('/').length, this)
  }

  /** Whether a path from the root is left out; the last rule of the nearest folder decides. */
  async ignores({ path, kind }: Pick<WalkedEntry, 'path' | 'kind'>, effort: Effort): Promise<boolean> {
    if (path === ALWAYS || path.endsWith(`/${ALWAYS}`)) return true
    return this.#decide({ names: namesOf(path), isFolder: kind === 'folder' }, effort)
  }

  async #decide(path: DecidedPath, effort: Effort): Promise<boolean> {
    const names = path.names.slice(this.#depth)
    for (const { matches, folders, isAgainst } of this.#rules) {
      if (effort.isLong) await effort.rest()
      if ((path.isFolder || !folders) && matches(names, effort)) return !isAgainst
    }
    return this.#above === undefined ? false : this.#above.#decide(path, effort)
  }
}

interface DecidedPath {
  readonly names: readonly Name[]
  readonly isFolder: boolean
}

/** What is said of rules that were not all read. */
export function unreadRules({ unread }: Effort): readonly string[] {
  const [first] = unread
  if (first === undefined) return []
  const others = unread.size > 1 ? ` and of ${unread.size - 1} more` : ''
  return [
    `Not all rules of ${printName(first)}${others} were read: at most ${MOST_RULES} hold in a directory, of ${LONGEST_RULE} characters each, from ${MOST_BYTES / 1024} KiB of a file`,
  ]
}

interface ReadRules {
  readonly text: string
  readonly isWhole: boolean
}

/** A longer list ends with the last line that is there in whole. */
async function readRules(directory: Directory, { root, path }: Place): Promise<ReadRules> {
  try {
    const file = await openIn(directory, { root, path: join(path, '.gitignore') })
    try {
      const bytes = await readAtMost(file, MOST_BYTES + 1)
      const isWhole = bytes.length <= MOST_BYTES
      const end = isWhole ? bytes.length : bytes.lastIndexOf('\n') + 1
      return { text: bytes.subarray(0, end).toString('utf8'), isWhole }
    } finally {
      await file.close()
    }
  } catch {
    return { text: '', isWhole: true } // Most folders have none, and one that cannot be read says nothing.
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => {
      const trimmed = line.trimEnd()
      return trimmed.endsWith('\\') && trimmed !== line ? `${trimmed} ` : trimmed
    })
    .filter((line) => !line.startsWith('#') && /[^/]/.test(line.replace(/^!/, '')))
}

function parseRule(line: string): IgnoreRule {
  const isAgainst = line.startsWith('!')
  const pattern = isAgainst ? line.slice(1) : line
  const isAnchored = pattern.slice(0, -1).includes('/')
  // What is in a folder is not the folder: another rule may still have something of it.
  const whole = /\/\*\*\/?$/.test(pattern) ? `${pattern}/*` : pattern
  const matches = compileOne(isAnchored ? whole : `**/${whole}`)
  return { matches, folders: pattern.endsWith('/'), isAgainst }
}
