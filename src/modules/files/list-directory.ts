import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDirectory } from '../../confined/confine.ts'
import { failure, printName } from '../../confined/explain.ts'
import { type Found, locate } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'

export function listDirectory(folder: Folder) {
  return {
    name: 'list_directory',
    title: 'List directory',
    description: 'List a directory, one entry a line: "F name" is a file, "D name" a directory.',
    input: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The directory, relative to the root directory; "." is the root.',
        },
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    scopes: ['files:read'],
    run: ({ path }: { readonly path: string }) => folder.use(path, 'read', () => list(folder.root, path)),
  } as const
}

async function list(root: string, path: string): Promise<string> {
  const found = await locate(root, path)
  const lines: string[] = []
  for (const entry of await readEntries(found)) {
    lines.push(`${await kindOf(entry, found)} ${printName(entry.name)}`)
  }
  return lines.join('\n')
}

async function readEntries(found: Found): Promise<Dirent[]> {
  if (!found.stats.isDirectory()) throw failure('NOT_DIRECTORY')
  const directory = await openDirectory(found)
  try {
    const entries = await readdir(directory.path, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } finally {
    await directory.close()
  }
}

async function kindOf(entry: Dirent, parent: Found): Promise<'D' | 'F'> {
  if (entry.isDirectory()) return 'D'
  if (!entry.isSymbolicLink()) return 'F'
  return (await leadsToDirectory(parent.root, join(parent.path, entry.name))) ? 'D' : 'F'
}

async function leadsToDirectory(root: string, link: string): Promise<boolean> {
  try {
    const directory = await openDirectory(await locate(root, link))
    await directory.close()
    return true
  } catch {
    // Whatever keeps us from opening it must look the same from outside.
    return false
  }
}
