import { existsSync, type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

export interface ProjectWatchOptions {
  /** The file that is served. */
  readonly file: string
  /** What else is to be looked at, whatever its kind. */
  readonly also: readonly string[]
  /** Something has changed; `settled` is called when nothing more has for a moment. */
  readonly changed: () => void
  readonly settled: () => void
  readonly say: (line: string) => void
}

/** Editors write in several steps, and people save several files at once. */
const SETTLE_MS = 25

/** A project that has more is watched in part. */
const MAX_FOLDERS = 2000

const CODE = /\.[cm]?[jt]sx?$/
const NO_CODE = /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$/

/** What is made from code, or by others. */
const MADE = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])

/** Hears of changes to the code of a project: of the folder with the package.json above the file, or of the file's own. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions
  readonly #file: string
  readonly #watchers = new Map<string, FSWatcher>()
  /** What is looked at whatever its kind. */
  readonly #also: readonly string[]
  #settling: NodeJS.Timeout | undefined
  #isFull = false

  constructor(options: ProjectWatchOptions) {
    this.#options = options
    this.#file = resolve(options.file)
    this.#also = options.also.map((one) => resolve(one))
    this.#walk(dirname(this.#file))
    for (const one of this.#also) this.#walk(statSync(one).isDirectory() ? one : dirname(one))
    this.#walk(projectOf(this.#file))
  }

  close(): void {
    clearTimeout(this.#settling)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #walk(folder: string): void {
    const folders = [folder]
    for (const one of folders) {
      if (!this.#add(one)) continue
      for (const entry of readFolder(one)) if (entry.isDirectory()) folders.push(join(one, entry.name))
    }
  }

  /** Tells whether its folders are to be looked at as well. */
  #add(folder: string): boolean {
    if (!this.#isWanted(folder)) return false
    if (this.#watchers.has(folder)) return true
    if (this.#watchers.size >= MAX_FOLDERS) return this.#complain()
    try {
      const watcher = watch(folder, (_event, name) => this.#hear(folder, name))
      watcher.on('error', () => this.#forget(folder))
      this.#watchers.set(folder, watcher)
      return true
    } catch {
      return false // It is gone, or not ours to read.
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  #complain(): false {
    if (!this.#isFull)
      this.#options.say(`the project has more than ${MAX_FOLDERS} folders, so that not all are watched`)
    this.#isFull = true
    return false
  }

  #hear(folder: string, name: string | null): void {
    if (!existsSync(folder)) this.#forget(folder)
    const path = name === null ? folder : join(folder, name)
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    if (isFolder && this.#isWanted(path)) {
      this.#walk(path)
      if (name !== null && !readFolder(path).some((entry) => isCode(entry.name))) return
    } else if (!this.#isCode(path)) return
    this.#options.changed()
    clearTimeout(this.#settling)
    this.#settling = setTimeout(this.#options.settled, SETTLE_MS)
  }

  #isCode(path: string): boolean {
    if (path === this.#file || this.#also.some((one) => isWithin(path, one))) return true
    return isCode(basename(path)) || (path.endsWith('.json') && this.#isImported(path))
  }

  /** A server may write JSON beside its code, which is no reason to start it again; what it imports is. */
  #isImported(path: string): boolean {
    const name = basename(path).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const imports = new RegExp(`\\b(?:from|import|require)\\s*\\(?\\s*['"][^'"\\n]*\\b${name}['"]`)
    const files = [...this.#watchers.keys()].flatMap((folder) =>
      readFolder(folder).flatMap((entry) => (isCode(entry.name) ? [join(folder, entry.name)] : [])),
    )
    return files.some((file) => existsSync(file) && imports.test(readFileSync(file, 'utf8')))
  }

  /** What is hidden or made is left alone, unless the file is in it. */
  #isWanted(folder: string): boolean {
    if ([this.#file, ...this.#also].some((one) => isWithin(one, folder) || isWithin(folder, one))) return true
    const name = basename(folder)
    return !name.startsWith('.') && !MADE.has(name)
  }
}

function isCode(name: string): boolean {
  return CODE.test(name) && !NO_CODE.test(name)
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || !relative(folder, path).split(sep).includes('..')
}

function projectOf(file: string): string {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(file)
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // It is gone.
  }
}
