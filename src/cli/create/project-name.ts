import { builtinModules } from 'node:module'
import { basename, resolve, sep } from 'node:path'
import { UsageError } from '../usage-error.ts'

export interface ProjectPlace {
  readonly name: string
  readonly folder: string
}

/** Where a project goes, and what it is called: as the last part of what was typed, or as the folder one is in. */
export function readPlace(typed: string): ProjectPlace {
  const folder = resolve(typed)
  if (typed.startsWith('@'))
    throw new UsageError(
      `${typed}: a folder has no scope. Create ${typed.split('/').at(-1)}, and put ${typed} into its package.json`,
    )
  return { name: checkName(typed === '' ? typed : basename(folder)), folder }
}

/** npm, hosts and file systems take the same names gladly: short, of small letters. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

function checkName(name: string): string {
  const wrong = whatIsWrong(name)
  if (wrong === undefined) return name
  const better = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)
  const remedy = NAME.test(better) && whatIsWrong(better) === undefined ? `. Would ${better} do?` : ''
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a project: ${wrong}${remedy}`)
}

function whatIsWrong(name: string): string | undefined {
  if (!NAME.test(name))
    return 'expected up to 64 small letters, digits, dots, dashes and underscores, the first a letter or a digit'
  if (name.endsWith('.') || DEVICES.test(name)) return 'Windows has no such folder'
  if (builtinModules.includes(name)) return 'it is a part of Node'
  if (USED.includes(name)) return 'npm installs no package into one of the same name'
  if (name === 'node_modules' || name === 'favicon.ico') return 'npm reserves it'
  return undefined
}

const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

/** What a project depends on. */
const USED = ['perigee', 'typescript', 'jiti']

/** A folder as one would type it from here. */
export function shorten(folder: string): string {
  const here = `${process.cwd()}${sep}`
  return folder.startsWith(here) ? folder.slice(here.length) : folder
}
