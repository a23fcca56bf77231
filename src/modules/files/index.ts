import { resolve } from 'node:path'
import { listDirectory } from './list-directory.ts'
import { readFile } from './read-file.ts'
import { writeFile } from './write-file.ts'

/** Reading, writing and listing files, confined to one directory. */
export function files(options: { readonly root: string }) {
  // An empty path would quietly mean the working directory.
  if (options.root === '') throw new TypeError('files: root must name a directory')
  const root = resolve(options.root)
  return { name: 'files', tools: [readFile(root), writeFile(root), listDirectory(root)] } as const
}
