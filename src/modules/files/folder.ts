import { resolve } from 'node:path'
import { explaining } from '../../confined/explain.ts'
import { PathOrder, type Turn } from './path-order.ts'

/** The directory that the file tools share. */
export interface Folder {
  readonly root: string
  /** Works on a path when its turn has come; what fails is told in one sentence about that path. */
  use<T>(path: string, does: Turn['does'], work: () => Promise<T>): Promise<T>
}

export function openFolder(root: string, chosenBy?: string): Folder {
  const order = new PathOrder()
  const outside = (path: string) =>
    `${path} is outside the root${chosenBy === undefined ? '' : ` ${root}; ${chosenBy} chooses another`}`
  return {
    root,
    use: (path, does, work) =>
      explaining(path, () => order.run({ path: resolve(root, path), does }, work), { OUTSIDE: outside }),
  }
}
