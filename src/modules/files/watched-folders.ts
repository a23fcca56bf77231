import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import { openDirectory } from '../../confined/confine.ts'
import type { Found } from '../../confined/locate.ts'

interface WatchedFolder {
  readonly watcher: FSWatcher
  readonly inode: number
  /** Who is to hear of which name in it; of any, where there is none. */
  readonly names: Map<string, string | undefined>
}

/** Folders that the system tells of, as long as somebody wants to hear of something in them. */
export class WatchedFolders {
  readonly #most: number
  readonly #tell: (uris: readonly string[]) => void
  readonly #folders = new Map<string, WatchedFolder>()
  /** In which folder each is heard of. */
  readonly #places = new Map<string, string>()

  constructor(most: number, tell: (uris: readonly string[]) => void) {
    this.#most = most
    this.#tell = tell
  }

  get size(): number {
    return this.#folders.size
  }

  /** Hears of a name in a folder, or of the folder; past the most that may be watched nothing is heard. */
  async join(place: Found, uri: string, name: string | undefined): Promise<void> {
    if (this.#places.get(uri) !== place.path) this.leave(uri)
    const folder = this.#find(place) ?? (await this.#open(place))
    if (folder === undefined) return
    folder.names.set(uri, name)
    this.#places.set(uri, place.path)
  }

  leave(uri: string): void {
    const path = this.#places.get(uri)
    if (path === undefined) return
    this.#places.delete(uri)
    const folder = this.#folders.get(path)
    folder?.names.delete(uri)
    if (folder?.names.size === 0) this.#close(path)
  }

  close(): void {
    for (const path of [...this.#folders.keys()]) this.#close(path)
    this.#places.clear()
  }

  /** Another folder may have come to be in its place. */
  #find({ path, stats }: Found): WatchedFolder | undefined {
    const known = this.#folders.get(path)
    if (known === undefined || known.inode === stats.ino) return known
    this.#close(path)
    return undefined
  }

  async #open(place: Found): Promise<WatchedFolder | undefined> {
    if (this.#folders.size >= this.#most) return undefined
    const directory = await openDirectory(place)
    try {
      // Somebody else may have been faster.
      const known = this.#find(place)
      if (known !== undefined) return known
      const names = new Map<string, string | undefined>()
      const watcher = watch(directory.path, { persistent: false }, (_event, name) => {
        // What happens to the folder itself is told under the name by which it was opened.
        const isAny = name === null || name === basename(directory.path)
        const heard = [...names].filter(([, one]) => isAny || one === undefined || one === name)
        this.#tell(heard.map(([uri]) => uri))
      })
      watcher.on('error', () => this.#close(place.path))
      const folder = { watcher, inode: place.stats.ino, names }
      this.#folders.set(place.path, folder)
      return folder
    } finally {
      await directory.close()
    }
  }

  #close(path: string): void {
    this.#folders.get(path)?.watcher.close()
    this.#folders.delete(path)
  }
}
