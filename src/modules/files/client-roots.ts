import { realpath, stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { isInside } from '../../confined/locate.ts'
import { type AuthorCall as Call, listRoots, Needs } from '../../kernel/index.ts'
import { fileURLToPath } from './file-uri.ts'
import type { Folder } from './folder.ts'

/** A client may name many; more than these are of no use to a model. */
const MOST_ROOTS = 100

/**
 * The folder as a caller is to see it. A client's roots narrow those that were chosen for the server. Where none was
 * chosen, the client at the other end of a pipe, which is the user's own, chooses itself.
 */
export class ClientRoots {
  readonly #folder: Folder
  readonly #chosen: 'here' | 'nowhere'
  /** What the client of a pipe has named last. */
  #own: Folder | undefined

  constructor(folder: Folder, chosen: 'here' | 'nowhere') {
    this.#folder = folder
    this.#chosen = chosen
  }

  /** Where nobody can be asked. */
  get known(): Folder {
    return this.#own ?? this.#folder
  }

  /** Whether a caller has to be asked; most have no roots. */
  asks(call: Call | undefined): call is Call {
    return call?.peer.capabilities['roots'] !== undefined
  }

  async folderFor(call: Call): Promise<Folder | Needs> {
    const asked = call.ask({ roots: listRoots() })
    if (asked instanceof Needs) return asked
    const isOwn = this.#chosen === 'nowhere' && call.principal === undefined
    const named = await realFolders(asked.roots.roots.slice(0, MOST_ROOTS).map(({ uri }) => toPath(uri)))
    const chosen = isOwn ? [] : await realFolders(this.#folder.roots)
    const [first, ...rest] = named.filter((root) =>
      isOwn ? parse(root).root !== root : chosen.some((one) => isInside(one, root)),
    )
    const folder = first === undefined ? this.#folder : this.#folder.within([first, ...rest])
    if (isOwn) this.#own = folder
    return folder
  }
}

/** Undefined where it is no file of this machine. */
function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** Where they really are, without those that are not there, or are no folders. */
async function realFolders(paths: readonly (string | undefined)[]): Promise<readonly string[]> {
  const named = paths.filter((path) => path !== undefined)
  const found = await Promise.all(named.map((path) => realFolder(path).catch(() => undefined)))
  return found.filter((path) => path !== undefined)
}

async function realFolder(path: string): Promise<string | undefined> {
  const real = await realpath(path)
  return (await stat(real)).isDirectory() ? real : undefined
}
