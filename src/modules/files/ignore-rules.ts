import { join } from 'node:path'
import { type Directory, openIn } from '../../confined/confine.ts'
import type { Place } from '../../confined/locate.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import { compileOne, type PathMatcher } from './glob.ts'

/** What version control keeps for itself, and no `.gitignore` names. */
const ALWAYS = '.git'

/** A longer list of rules is read so far. */
const MOST_BYTES = 64 * 1024

interface IgnoreRule {
  readonly matches: PathMatcher
  readonly folders: boolean
  readonly isAgainst: boolean
}

/** What a folder's `.gitignore` and those above it say. */
export class IgnoreRules {
  static readonly NONE = new IgnoreRules([], '', undefined)

  readonly #rules: readonly IgnoreRule[]
  /** Its folder from the root, with a slash at its end. */
  readonly #base: string
  readonly #above: IgnoreRules | undefined

  constructor(rules: readonly IgnoreRule[], base: string, above: IgnoreRules | undefined) {
    this.#rules = rules
    this.#base = base
    this.#above = above
  }

  /** The rules inside a folder, which is held open; `path` is where it is from the root. */
  async enter(directory: Directory, place: Place, path: string): Promise<IgnoreRules> {
    const rules = parseRules(await readRules(directory, place))
    return rules.length === 0 ? this : new IgnoreRules(rules, path === '' ? '' : `${path}/`, this)
  }

  /** Whether a path from the root is left out; the last rule of the nearest folder decides. */
  ignores(path: string, kind: 'folder' | 'file'): boolean {
    if (path === ALWAYS || path.endsWith(`/${ALWAYS}`)) return true
    return this.#decide(path, kind) ?? false
  }

  #decide(path: string, kind: 'folder' | 'file'): boolean | undefined {
    const below = path.slice(this.#base.length)
    const rule = this.#rules.findLast(
      ({ matches, folders }) => (kind === 'folder' || !folders) && matches(below),
    )
    return rule === undefined ? this.#above?.ignores(path, kind) : !rule.isAgainst
  }
}

async function readRules(directory: Directory, { root, path }: Place): Promise<string> {
  try {
    const file = await openIn(directory, { root, path: join(path, '.gitignore') })
    try {
      return (await readAtMost(file, MOST_BYTES)).toString('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return '' // Most folders have none, and one that cannot be read says nothing.
  }
}

export function parseRules(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const trimmed = line.trimEnd()
      const rule = trimmed.endsWith('\\') && trimmed !== line ? `${trimmed} ` : trimmed
      if (rule === '' || rule.startsWith('#')) return []
      const isAgainst = rule.startsWith('!')
      const pattern = isAgainst ? rule.slice(1) : rule
      const folders = pattern.endsWith('/')
      const isAnchored = pattern.slice(0, -1).includes('/')
      // What is in a folder is not the folder: another rule may still have something of it.
      const whole = /\/\*\*\/?$/.test(pattern) ? `${pattern}/*` : pattern
      if (!/[^/]/.test(pattern)) return []
      return [{ matches: compileOne(isAnchored ? whole : `**/${whole}`), folders, isAgainst }]
    })
}
