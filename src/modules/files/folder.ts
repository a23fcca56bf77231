import { realpath } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { explaining } from '../../confined/explain.ts'
import { isInside } from '../../confined/locate.ts'
import { LONG_PATH, SmallFiles } from '../../confined/small-files.ts'
import { Gate } from '../../process/gate.ts'
import { Leftovers } from './leftovers.ts'
import { PathOrder, type Turn } from './path-order.ts'

/** The directories that the file tools share. */
export interface Folder {
  /** Whatever lies in one of them may be used; where a path is not absolute, it begins in the first. */
  readonly roots: readonly [string, ...string[]]
  /** How many entries make a page where a call does not say; all of them, where this does not. */
  readonly page: number | undefined
  readonly gate: Gate
  /** Of those who edit. */
  readonly edits: Gate
  /** Of those who go through many folders. */
  readonly walks: Gate
  readonly leftovers: Leftovers
  readonly small: SmallFiles
  /** Makes something of all of a small file, where nobody has to be waited for; undefined where it takes more than a look. */
  now<T>(path: string, make: (bytes: Buffer) => T): T | undefined
  /** Works on a path when its turn has come, in the root where it lies; what fails is told in one sentence about that path. */
  use<T>(turn: Turn, work: (root: string) => Promise<T>): Promise<T>
  /** Works on two paths when both are free, for whoever asks for the first. */
  useBoth<T>(from: Turn, to: Turn, work: () => Promise<T>): Promise<T>
  /** Works in the root where a path lies, without a turn. */
  at<T>(path: string, work: (root: string) => Promise<T>): Promise<T>
  /** The same tools in other directories. */
  within(roots: Folder['roots']): Folder
}

export interface FolderOptions {
  /** How the roots are chosen; where it is given, a path outside of them is told both. */
  readonly chosenBy?: string | undefined
  readonly page?: number | undefined
}

export function openFolder(root: string | Folder['roots'], options: FolderOptions = {}): Folder {
  const shared = {
    order: new PathOrder(),
    gate: new Gate(),
    edits: new Gate(),
    walks: new Gate(),
    leftovers: new Leftovers(),
    small: new SmallFiles(),
  }
  return folderOf(typeof root === 'string' ? [root] : root, options, shared)
}

interface SharedByFolders {
  readonly order: PathOrder
  readonly gate: Gate
  readonly edits: Gate
  readonly walks: Gate
  readonly leftovers: Leftovers
  readonly small: SmallFiles
}

function folderOf(roots: Folder['roots'], options: FolderOptions, shared: SharedByFolders): Folder {
  const { order, ...own } = shared
  const turn = ({ path, does, call }: Turn): Turn => ({ path: resolve(roots[0], path), does, call })
  const reasons = { OUTSIDE: (shown: string) => `${shown} is outside the root${whichRoot(roots, options)}` }
  const inRoot = async <T>(path: string, work: (root: string) => Promise<T>) =>
    work(await rootOf(path, roots))
  return {
    roots,
    page: options.page,
    ...own,
    now: (path, make) => {
      const root = path.length > LONG_PATH ? undefined : namedRoot(path, roots)
      return root !== undefined && order.isFree(turn({ path, does: 'read' }))
        ? own.small.read(root, path, make)
        : undefined
    },
    at: (path, work) => explaining(path, () => inRoot(path, work), reasons),
    use: (wanted, work) => {
      const { path } = wanted
      return explaining(path, () => order.run(turn(wanted), () => inRoot(path, work)), reasons)
    },
    useBoth: (from, to, work) =>
      explaining(from.path, () => explaining(to.path, () => order.run([turn(from), turn(to)], work))),
    within: (others) => folderOf(others, options, shared),
  }
}

/** As many are named to somebody who is outside of them. */
const SHOWN_ROOTS = 10

function whichRoot(roots: readonly string[], { chosenBy }: FolderOptions): string {
  if (chosenBy === undefined) return ''
  const more = roots.length > SHOWN_ROOTS ? `, … (${roots.length} of them: list_roots)` : ''
  return `${roots.length === 1 ? '' : 's'} ${roots.slice(0, SHOWN_ROOTS).join(', ')}${more}; ${chosenBy} chooses another`
}

/** An absolute path may be spelled by a root's name or by where that really is. */
async function rootOf(path: string, roots: Folder['roots']): Promise<string> {
  const named = namedRoot(path, roots)
  if (named !== undefined) return named
  const absolute = resolve(path)
  for (const root of roots) {
    // A root that is gone holds nothing.
    const real = await realpath(root).catch(() => root)
    if (isInside(real, absolute)) return root
  }
  return roots[0]
}

/** Undefined where none of several has a name that the path begins with. */
function namedRoot(path: string, roots: Folder['roots']): string | undefined {
  if (roots.length === 1 || !isAbsolute(path)) return roots[0]
  const absolute = resolve(path)
  const named = roots.filter((root) => isInside(root, absolute))
  return named.toSorted((one, other) => other.length - one.length)[0]
}
