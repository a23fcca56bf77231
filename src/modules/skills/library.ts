import { createHash } from 'node:crypto'
import { printPath } from '../../confined/explain.ts'
import type { Found } from '../../confined/locate.ts'
import { BUDGETS, type JsonObject, type AuthorServer as Server } from '../../kernel/index.ts'
import { Gate } from '../../process/gate.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { Complaints } from './complaints.ts'
import { parseFrontMatter } from './front-matter.ts'
import { findExcess, MOST_BYTES } from './limits.ts'
import { readBytes } from './read-bytes.ts'
import { Remembered } from './remembered.ts'
import { Rounds } from './rounds.ts'
import { type File, type SkillFolder, walk } from './walk.ts'

export interface Skill {
  readonly name: string
  readonly description: string
  readonly frontmatter: JsonObject
  /** Its SKILL.md. */
  readonly file: File
  /** All there are in its folder, at any depth. */
  readonly files: readonly File[]
}

/** What is served, as it was found a moment ago; everything is found by its path from the root. */
export interface Shelves {
  /** By the path of their SKILL.md. */
  readonly skills: ReadonlyMap<string, Skill>
  readonly files: ReadonlyMap<string, File>
  readonly folders: ReadonlyMap<string, SkillFolder>
}

export interface Fingerprint {
  readonly digest: string
  readonly size: number
}

/** Who asks for something that others may have to wait for. */
export interface SkillReader {
  readonly owner: string
  readonly signal?: AbortSignal | undefined
}

/** Who reads what many have asked for: it takes its turn as a caller does. */
const LIBRARY: SkillReader = { owner: 'skills' }

/** The skills in a folder. */
export class Library {
  /** The one that serves them, whose budgets hold. */
  server: Pick<Server, 'budgets' | 'usage'> | undefined
  readonly #root: string
  readonly #complaints: Complaints
  readonly #looks = new Rounds<Shelves>()
  readonly #walks = new Gate()
  readonly #reads = new Gate()
  readonly #frontMatters = new Remembered({
    make: (bytes: Uint8Array) => parseFrontMatter(bytes, this.#limit('maxFrontMatterBytes')),
    read: (found) => this.#read(found, LIBRARY, readBytes),
  })
  readonly #fingerprints = new Remembered({
    make: takeFingerprint,
    read: (found) => this.#read(found, LIBRARY, readBytes),
  })

  constructor(root: string, report: (message: string) => void) {
    this.#root = root
    this.#complaints = new Complaints(report)
  }

  /** Everything there is, as it was found after it was asked for. */
  look(): Promise<Shelves> {
    return this.#looks.ask('', () => this.#lookAtAll())
  }

  /** Everything in the top folder in which a path lies. */
  lookFor(path: string, { owner }: SkillReader): Promise<Shelves> {
    const [top = ''] = path.split('/', 1)
    // Others share it, so that nobody who leaves may call it off.
    const wish = { owner, most: this.#limit('maxFileWalks') }
    return this.#looks.ask(top, () =>
      this.#walks.pass(wish, async () => {
        this.server?.usage.saw('maxFileWalks', this.#walks.inside)
        return this.#sort(await this.#walk(top))
      }),
    )
  }

  /** Undefined when the file has gone, or may not be read. */
  fingerprint({ path, found }: File): Promise<Fingerprint | undefined> {
    return this.#complaints.guard('read', path, () => this.#fingerprints.of(found))
  }

  /** What is made of a file's bytes while there is room for them. */
  read<Value>(
    { path, found }: File,
    reader: SkillReader,
    make: (bytes: Buffer) => Value,
  ): Promise<Value | undefined> {
    const read = async (one: Found) => {
      const { bytes } = await readBytes(one)
      if (bytes.length > LARGE) await ownTurn()
      return make(bytes)
    }
    return this.#complaints.guard('read', path, () => this.#read(found, reader, read))
  }

  /** Reads when there is room: so many files may be read at once. */
  #read<Value>(
    found: Found,
    { owner, signal }: SkillReader,
    read: (found: Found) => Promise<Value>,
  ): Promise<Value> {
    const most = Math.max(1, Math.floor(this.#limit('maxSkillReadingBytes') / MOST_BYTES))
    return this.#reads.pass({ owner, most, signal }, () => {
      this.server?.usage.saw('maxSkillReadingBytes', this.#reads.inside * MOST_BYTES)
      return read(found)
    })
  }

  #limit(name: 'maxFrontMatterBytes' | 'maxSkillReadingBytes' | 'maxFileWalks'): number {
    return this.server?.budgets[name] ?? BUDGETS[name].limit
  }

  async #lookAtAll(): Promise<Shelves> {
    const top = await this.#walk(undefined)
    const paths = new Set(filesIn(top).map(({ found }) => found.path))
    this.#frontMatters.keep(paths)
    this.#fingerprints.keep(paths)
    return this.#sort(top)
  }

  async #walk(only: string | undefined): Promise<SkillFolder> {
    const top = await this.#complaints.guard('find', this.#root, () =>
      walk({ root: this.#root, complaints: this.#complaints, only }),
    )
    return top ?? { name: '', path: '', files: [], folders: [] }
  }

  async #sort(top: SkillFolder): Promise<Shelves> {
    const shelves = { skills: new Map(), files: new Map(), folders: new Map() }
    for (const folder of foldersIn(top)) {
      const skill = await this.#readSkill(folder)
      if (skill === undefined) continue
      shelves.skills.set(skill.file.path, skill)
      for (const file of skill.files) shelves.files.set(file.path, file)
      for (const below of foldersIn(folder)) shelves.folders.set(below.path, below)
    }
    return shelves
  }

  /** Undefined where there is none, or none that can be served. */
  async #readSkill(folder: SkillFolder): Promise<Skill | undefined> {
    const file = folder.files.find(({ name }) => name === 'SKILL.md')
    if (file === undefined) return undefined
    const skill = await this.#checkSkill(folder, file)
    if (skill === undefined) return undefined // The file system was against it, and that has been told.
    const problem = typeof skill === 'string' ? skill : undefined
    this.#complaints.settle(`skill ${file.path}`, problem && `Not served as a skill: ${problem}`)
    return typeof skill === 'string' ? undefined : skill
  }

  /** The skill, or what is wrong with it. */
  async #checkSkill(folder: SkillFolder, file: File): Promise<Skill | string | undefined> {
    if (folder.path === '') return 'SKILL.md lies in the root itself; each skill needs a folder of its own'
    const files = filesIn(folder)
    const excess = findExcess(folder.path, files)
    if (excess !== undefined) return excess
    const matter = await this.#complaints.guard('read', file.path, () => this.#frontMatters.of(file.found))
    if (matter === undefined) return undefined
    if ('problem' in matter) return `${printPath(file.path)} ${matter.problem}`
    const { fields: frontmatter, name, description } = matter
    if (name !== folder.name) return `${printPath(file.path)} has the name ${name}, which is not its folder's`
    return { name, description, frontmatter, file, files }
  }
}

async function takeFingerprint(bytes: Buffer): Promise<Fingerprint> {
  if (bytes.length > LARGE) await ownTurn()
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length }
}

/** The folder itself and all below it. */
function foldersIn(folder: SkillFolder): SkillFolder[] {
  return [folder, ...folder.folders.flatMap(foldersIn)]
}

function filesIn(folder: SkillFolder): File[] {
  return foldersIn(folder).flatMap(({ files }) => files)
}
