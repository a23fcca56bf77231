import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { look } from '../../process/look.ts'
import type { Note } from '../log.ts'
import { ImportedJson } from './imported-json.ts'
import { isCode, readFolder } from './project-files.ts'

export interface ProjectWatchOptions {
  /** The file that is served. */
  readonly file: string
  /** What else is to be looked at, whatever its kind. */
  readonly also: readonly string[]
  /** Something has changed; `settled` is called when nothing more has for a moment. */
  readonly changed: () => void
  readonly settled: () => void
  readonly note: Note
}

/** A folder that is watched; one of the same name that is put in its place is another. */
interface FolderWatch {
  readonly watcher: FSWatcher
  readonly inode: number
}

/** Editors write in several steps, and people save several files at once. */
const SETTLE_MS = 25

/** A project that has more is watched in part. */
const MAX_FOLDERS = 2000

/** What is made from code, or by others. */
const MADE = new Set(['node_modules', 'dist', 'build', 'out', 'coverage'])

/** Hears of changes to the code of a project: of the folder with the package.json above the file, or of the file's own. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions
  readonly #folders = new Map<string, FolderWatch>()
  readonly #imported = new ImportedJson(() => this.#folders.keys())
  /** What is looked at whatever its kind: the file, by its name and where that leads, and what was asked for. */
  #wanted: readonly string[] = []
  #settling: NodeJS.Timeout | undefined
  #hasComplained = false

  constructor(options: ProjectWatchOptions) {
    this.#options = options
    this.#begin()
  }

  close(): void {
    clearTimeout(this.#settling)
    for (const folder of [...this.#folders.keys()]) this.#forget(folder)
  }

  /** A file that is a link is loaded from where it leads, and so is what it imports. */
  #begin(): void {
    const { file, also } = this.#options
    const files = [...new Set([resolve(file), follow(resolve(file))])]
    const others = also.flatMap((one) => [resolve(one), follow(resolve(one))])
    this.#wanted = [...new Set([...files, ...others])]
    for (const one of this.#wanted) this.#walk(look(one)?.isDirectory() === true ? one : dirname(one))
    for (const one of files) this.#walk(projectOf(one))
  }

  /** Watches a folder and what is in it, folders elsewhere that it links to last; tells whether there is code in it. */
  #walk(folder: string): boolean {
    const folders = [folder]
    const links: string[] = []
    let hasCode = false
    for (const one of folders) {
      if (!this.#add(one)) continue
      for (const entry of readFolder(one)) {
        hasCode ||= isCode(entry.name)
        const path = join(one, entry.name)
        if (entry.isDirectory()) folders.push(path)
        if (entry.isSymbolicLink() && this.#isLinked(path)) links.push(follow(path))
      }
    }
    const linked = links.filter((one) => !this.#folders.has(one)).map((one) => this.#walk(one))
    return hasCode || linked.includes(true)
  }

  #isLinked(path: string): boolean {
    return this.#isWanted(path) && look(path)?.isDirectory() === true
  }

  /** Tells whether its folders are to be looked at as well. */
  #add(folder: string): boolean {
    if (!this.#isWanted(folder)) return false
    const inode = look(folder)?.ino
    const known = this.#folders.get(folder)
    if (known !== undefined && known.inode === inode) return true
    this.#forget(folder)
    if (inode === undefined) return false
    if (this.#folders.size >= MAX_FOLDERS)
      return this.#complain(`the project has more than ${MAX_FOLDERS} folders`)
    try {
      const watcher = watch(folder, (_event, name) => this.#hear(folder, name))
      watcher.on('error', () => this.#forget(folder))
      this.#folders.set(folder, { watcher, inode })
      return true
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (NO_ROOM.has(code)) this.#complain(`this system lets no more folders be watched (${code})`)
      return false // Or it is gone, or not ours to read.
    }
  }

  #forget(folder: string): void {
    this.#folders.get(folder)?.watcher.close()
    this.#folders.delete(folder)
  }

  #complain(reason: string): false {
    if (!this.#hasComplained) this.#options.note('warning', `${reason}, so that not all are watched`)
    this.#hasComplained = true
    return false
  }

  #hear(folder: string, name: string | null): void {
    if (!existsSync(folder)) this.#forget(folder)
    const path = name === null ? folder : join(folder, name)
    if (!this.#isChange(path, name === null)) return
    if (isCode(basename(path))) this.#imported.forget()
    if (this.#wanted.includes(path) && !this.#wanted.includes(follow(path))) this.#begin() // It leads elsewhere now.
    this.#options.changed()
    clearTimeout(this.#settling)
    this.#settling = setTimeout(this.#options.settled, SETTLE_MS)
  }

  #isChange(path: string, isUnnamed: boolean): boolean {
    if (look(path)?.isDirectory() !== true || !this.#isWanted(path)) return this.#isPart(path)
    const hasCode = this.#walk(path)
    if (hasCode) this.#imported.forget()
    return hasCode || isUnnamed
  }

  #isPart(path: string): boolean {
    if (this.#wanted.some((one) => isWithin(path, one))) return true
    return isCode(basename(path)) || (path.endsWith('.json') && this.#imported.has(basename(path)))
  }

  /** What is hidden or made is left alone, unless the file is in it. */
  #isWanted(folder: string): boolean {
    if (this.#wanted.some((one) => isWithin(one, folder) || isWithin(folder, one))) return true
    const name = basename(folder)
    return !name.startsWith('.') && !MADE.has(name)
  }
}

/** What a system says that has no room for another. */
const NO_ROOM = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

function isWithin(path: string, folder: string): boolean {
  return path === folder || !relative(folder, path).split(sep).includes('..')
}

function projectOf(file: string): string {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(file)
}

/** Where a path leads. */
function follow(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // Nowhere, for now.
  }
}
