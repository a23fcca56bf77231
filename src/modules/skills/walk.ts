import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { checkRegular, type Directory, openDirectory } from '../../confined/confine.ts'
import { failure } from '../../confined/explain.ts'
import { type Found, locate, type Place } from '../../confined/locate.ts'
import type { Complaints } from './complaints.ts'

export interface File {
  readonly name: string
  /** From the root, with slashes. */
  readonly path: string
  readonly found: Found
}

export interface SkillFolder {
  readonly name: string
  readonly path: string
  readonly files: readonly File[]
  readonly folders: readonly SkillFolder[]
}

export interface Walk {
  readonly root: string
  readonly complaints: Complaints
  /** Looks at nothing else of the root. */
  readonly only?: string | undefined
}

/**
 * All there is in the root but what cannot be served: what leads out, what is no file, what may not be read.
 * Links to files are followed; links to folders are not, since they can lead round in circles.
 */
export async function walk({ root, complaints, only }: Walk): Promise<SkillFolder> {
  const real = await realpath(root)
  return walkFolder({ root: real, complaints, only }, '', '')
}

async function walkFolder(walk: Walk, name: string, path: string): Promise<SkillFolder> {
  const { files, names } = await readFolder(walk, path)
  const folders: SkillFolder[] = []
  for (const below of names) {
    const next = joinNames(path, below)
    const folder = await walk.complaints.guard('find', next, () => walkFolder(walk, below, next))
    if (folder !== undefined) folders.push(folder)
  }
  return { name, path, files, folders }
}

interface Entries {
  readonly files: readonly File[]
  /** Of the folders. */
  readonly names: readonly string[]
}

async function readFolder(walk: Walk, path: string): Promise<Entries> {
  const directory = await openDirectory({ root: walk.root, path: join(walk.root, path) })
  try {
    const entries = await readdir(directory.path, { withFileTypes: true })
    const wanted = entries.filter(({ name }) => isWanted(walk, path, name))
    const files: File[] = []
    for (const entry of wanted.filter((one) => !one.isDirectory())) {
      const file = joinNames(path, entry.name)
      const found = await walk.complaints.guard('find', file, () =>
        findFile({ root: walk.root, path: join(walk.root, file) }, entry, directory),
      )
      if (found !== undefined) files.push({ name: entry.name, path: file, found })
    }
    return { files, names: wanted.filter((one) => one.isDirectory()).map(({ name }) => name) }
  } finally {
    await directory.close()
  }
}

/** What version control keeps is no part of a skill. */
const NEVER = '.git'

function isWanted({ only }: Walk, path: string, name: string): boolean {
  return name !== NEVER && (path !== '' || only === undefined || only === name)
}

async function findFile(place: Place, entry: Dirent, directory: Directory): Promise<Found> {
  const found = entry.isSymbolicLink()
    ? await followLink(place)
    : { ...place, stats: await lstat(join(directory.path, entry.name)) }
  checkRegular(found.stats)
  return found
}

async function followLink({ root, path }: Place): Promise<Found> {
  const found = await locate(root, path)
  if (found.stats.isDirectory()) throw failure('LINKED_DIRECTORY')
  return found
}

function joinNames(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}
