import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suggest } from '../../kernel/index.ts'
import type { GivenSettings } from '../config-file.ts'
import { UsageError } from '../usage-error.ts'
import { foldersHere, isHere } from './folders.ts'
import { type HostFile, type HostFolders, INSTALL_HOSTS, type InstallHost } from './hosts.ts'

/** The hosts that were named, or are here, each with the file that it has or would have. */
export function choosePlaces(flags: GivenSettings): readonly (readonly [InstallHost, HostFile])[] {
  const folders = foldersHere()
  const isProject = flags['project'] === true
  const named = readHosts(flags['to'])
  const hosts = named ?? INSTALL_HOSTS.filter((host) => isHere(host, folders))
  if (hosts.length === 0)
    throw new UsageError(
      `no host was found on this machine. Name some: --to ${INSTALL_HOSTS.map(({ id }) => id).join(',')}`,
    )
  const places = hosts.map((host) => [host, fileOf(host, { folders, isProject })] as const)
  const without = places.filter(([, file]) => file === undefined).map(([host]) => host.name)
  if (without.length > 0 && (named !== undefined || without.length === places.length))
    throw new UsageError(
      `${without.join(' and ')} read${without.length === 1 ? 's' : ''} no file of a project: leave out --project`,
    )
  return places.flatMap(([host, file]) => (file === undefined ? [] : [[host, file] as const]))
}

export function readHosts(given: unknown): readonly InstallHost[] | undefined {
  if (typeof given !== 'string') return undefined
  const ids = given.split(',').map((id) => id.trim())
  return [...new Set(ids)].map((id) => {
    const found = INSTALL_HOSTS.find((host) => host.id === id)
    if (found !== undefined) return found
    const known = INSTALL_HOSTS.map((host) => host.id)
    const nearest = suggest(id, known)
    const hint = known.includes(nearest) ? `Did you mean ${nearest}?` : `Expected: ${known.join(', ')}`
    throw new UsageError(`to: there is no host ${JSON.stringify(id)}. ${hint}`)
  })
}

/** Whether a file is one that a host has of the project in this folder. */
export function isOfProject(path: string): boolean {
  return INSTALL_HOSTS.some((host) => host.project?.some((file) => join(process.cwd(), file.path) === path))
}

/** The first that is there, or else the first. */
export function fileOf(
  host: InstallHost,
  { folders, isProject }: { readonly folders: HostFolders; readonly isProject: boolean },
): HostFile | undefined {
  const files = isProject
    ? (host.project ?? []).map((file) => ({ ...file, path: join(process.cwd(), file.path) }))
    : host.user(folders)
  return files.find(({ path }) => existsSync(path)) ?? files[0]
}
