import { createHash } from 'node:crypto'
import { printPath } from '../../confined/explain.ts'
import { BUDGETS, type JsonObject } from '../../kernel/index.ts'
import { Complaints } from './complaints.ts'
import { parseFrontMatter } from './front-matter.ts'
import { findExcess } from './limits.ts'
import { type Read, readBytes } from './read-bytes.ts'
import { Remembered } from './remembered.ts'
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

/** The skills in a folder. */
export class Library {
  /** As the server has it that serves them. */
  mostFrontMatter: number = BUDGETS.maxFrontMatterBytes.limit
  readonly #root: string
  readonly #complaints: Complaints
  readonly #frontMatters = new Remembered({
    make: (bytes: Uint8Array) => parseFrontMatter(bytes, this.mostFrontMatter),
  })
  readonly #fingerprints = new Remembered({ make: takeFingerprint })

  constructor(root: string, report: (message: string) => void) {
    this.#root = root
    this.#complaints = new Complaints(report)
  }

  /** Everything there is. */
  async look(): Promise<Shelves> {
    const top = await this.#walk(undefined)
    const paths = new Set(filesIn(top).map(({ found }) => found.path))
    this.#frontMatters.keep(paths)
    this.#fingerprints.keep(paths)
    return this.#sort(top)
  }

  /** Everything in the top folder in which a path lies. */
  async lookFor(path: string): Promise<Shelves> {
    return this.#sort(await this.#walk(path.split('/', 1)[0]))
  }

  /** Undefined when the file has gone, or may not be read. */
  fingerprint({ path, found }: File): Promise<Fingerprint | undefined> {
    return this.#complaints.guard('read', path, () => this.#fingerprints.of(found))
  }

  read({ path, found }: File): Promise<Read | undefined> {
    return this.#complaints.guard('read', path, () => readBytes(found))
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

function takeFingerprint(bytes: Buffer): Fingerprint {
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length }
}

/** The folder itself and all below it. */
function foldersIn(folder: SkillFolder): SkillFolder[] {
  return [folder, ...folder.folders.flatMap(foldersIn)]
}

function filesIn(folder: SkillFolder): File[] {
  return foldersIn(folder).flatMap(({ files }) => files)
}
