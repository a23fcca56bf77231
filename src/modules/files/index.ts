import { resolve } from 'node:path'
import { openFolder } from './folder.ts'
import { listDirectory } from './list-directory.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

export interface FilesOptions {
  readonly root: string
  /** How the root is chosen; where it is given, a path outside of the root is told both. */
  readonly chosenBy?: string
}

/** Reading, writing and listing files, confined to one directory. */
export function files(options: FilesOptions) {
  // An empty path would quietly mean the working directory.
  if (options.root === '') throw new TypeError('files: root must name a directory')
  const folder = openFolder(resolve(options.root), options.chosenBy)
  return { name: 'files', tools: [readFile(folder), writeFile(folder), listDirectory(folder)] } as const
}
