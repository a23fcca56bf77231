import { type Stats, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { statInside } from '../../confined/confine.ts'
import { type Found, isInside, locate } from '../../confined/locate.ts'
import type { InterestWatcher, Server } from '../../kernel/index.ts'
import { pathOfUri } from './file-uri.ts'
import type { Folder } from './folder.ts'
import { nextRound } from './next-round.ts'
import { WatchedFolders } from './watched-folders.ts'

/** What happens within so long is told once. */
const TOGETHER_MS = 50

/** What the system does not tell of, as on a network, is seen by looking. */
const LOOK_MS = 3000

/** So many are looked at in that time: where there are more, each of them is looked at less often. */
const LOOKS = 1000

/** So many files are looked at at the same time. */
const AT_ONCE = 16

interface WatchedFile {
  /** How many want to hear of it. */
  count: number
  /** What it was like when it was last looked at. */
  seen: string
  isNew: boolean
}

export interface WatchedFilesOptions {
  readonly server: Server
  readonly folder: () => Folder
}

/** The files that clients want to hear of: the system tells of the folders they are in, and they are looked at now and then. */
export class WatchedFiles implements InterestWatcher {
  readonly #options: WatchedFilesOptions
  readonly #files = new Map<string, WatchedFile>()
  readonly #folders: WatchedFolders
  readonly #touched = new Set<string>()
  readonly #stopCounting: () => void
  #soon: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined

  constructor(options: WatchedFilesOptions) {
    const { budgets, usage } = options.server
    this.#options = options
    this.#folders = new WatchedFolders(budgets.maxWatchedFolders, (uris) => this.#touch(uris))
    this.#stopCounting = usage.watch('maxWatchedFolders', () => this.#folders.size)
  }

  begin(uri: string): void {
    if (!uri.startsWith('file:')) return
    const known = this.#files.get(uri)
    if (known !== undefined) known.count++
    else {
      this.#files.set(uri, { count: 1, seen: glance(uri, this.#options.folder()), isNew: true })
      void this.#look(uri)
    }
    this.#lookLater()
  }

  end(uri: string): void {
    const known = this.#files.get(uri)
    if (known === undefined || --known.count > 0) return
    this.#files.delete(uri)
    this.#folders.leave(uri)
  }

  close(): void {
    this.#files.clear()
    this.#folders.close()
    this.#stopCounting()
    clearTimeout(this.#soon)
    clearTimeout(this.#later)
  }

  #touch(uris: Iterable<string>): void {
    for (const uri of uris) this.#touched.add(uri)
    if (this.#soon !== undefined) return
    this.#soon = setTimeout(() => {
      this.#soon = undefined
      const touched = [...this.#touched]
      this.#touched.clear()
      void this.#lookAtAll(touched)
    }, TOGETHER_MS)
    this.#soon.unref()
  }

  #lookLater(): void {
    if (this.#later !== undefined) return
    const look = async () => {
      await this.#lookAtAll(nextRound(this.#files, LOOKS))
      this.#later = undefined
      if (this.#files.size > 0) this.#lookLater()
    }
    this.#later = setTimeout(() => void look(), LOOK_MS)
    this.#later.unref()
  }

  async #lookAtAll(uris: readonly string[]): Promise<void> {
    const ahead = uris.values()
    const work = async () => {
      for (const uri of ahead) await this.#look(uri)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** What changes after somebody's wish is told, even before the first look; what was only glanced at may lie outside. */
  async #look(uri: string): Promise<void> {
    const folder = this.#options.folder()
    const path = pathOfUri(uri, folder)
    if (path === undefined) return
    const print = await fingerprint(folder, path)
    const file = this.#files.get(uri)
    if (file === undefined) return
    const isNews = file.seen !== print && !(file.isNew && print === ABSENT)
    Object.assign(file, { seen: print, isNew: false })
    if (isNews) this.#options.server.updated(uri)
    await this.#watch(folder, path, uri)
  }

  /** What may not be watched is looked at all the same. */
  async #watch(folder: Folder, path: string, uri: string): Promise<void> {
    const attempt = folder.at(path, async (root) => {
      const { place, name } = await tellerOf(root, path)
      if (this.#files.has(uri)) await this.#folders.join(place, uri, name)
    })
    await attempt.catch(() => undefined)
    if (!this.#files.has(uri)) this.#folders.leave(uri)
  }
}

/** The folder that would tell of a file, and under which name; as long as that is missing, the next one above it. */
async function tellerOf(root: string, path: string): Promise<{ place: Found; name: string | undefined }> {
  const found = await locate(root, path).catch(() => undefined)
  if (found?.stats.isDirectory() === true) return { place: found, name: undefined }
  const file = found?.path ?? resolve(root, path)
  try {
    return { place: await locate(root, dirname(file)), name: basename(file) }
  } catch (error) {
    const above = dirname(file)
    if (!isInside(root, above) || above === root) throw error
    return { place: (await tellerOf(root, above)).place, name: undefined }
  }
}

const ABSENT = 'absent'

/** Whatever keeps us from seeing a file, it is not there for its clients. */
async function fingerprint(folder: Folder, path: string): Promise<string> {
  try {
    return await folder.at(path, async (root) => print(await statInside(await locate(root, path))))
  } catch {
    return ABSENT
  }
}

function print({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}

/** At once, so that nothing is missed; nobody is told what was seen. */
function glance(uri: string, folder: Folder): string {
  const path = pathOfUri(uri, folder)
  try {
    return path === undefined ? ABSENT : print(statSync(resolve(folder.roots[0], path)))
  } catch {
    return ABSENT
  }
}
