import { resolve } from 'node:path'
import { look } from '../../process/look.ts'
import type { GivenSettings } from '../config-file.ts'
import type { SettingTable } from '../settings.ts'
import { UsageError } from '../usage-error.ts'

/** What a server at an address, or behind a command, is reached with. */
export const REACH_SETTINGS: SettingTable = {
  header: {
    kind: 'many',
    placeholder: '"NAME: VALUE"',
    description: 'sent with every request to that address; may be repeated',
  },
  env: {
    kind: 'many',
    placeholder: 'NAME[=VALUE]',
    description: 'a variable for the command, which gets PATH, HOME and their like anyway; may be repeated',
  },
  cwd: { placeholder: 'DIR', description: 'where the command runs' },
}

export interface Reach {
  readonly headers: { readonly [name: string]: string }
  readonly env: { readonly [name: string]: string }
  readonly cwd: string | undefined
}

const FOR_URL = ['header']
const FOR_COMMAND = ['env', 'cwd', 'stderr']

/** Throws where something is given that such a server is not reached with. */
export function readReach(flags: GivenSettings, kind: 'url' | 'command'): Reach {
  const isGiven = (name: string) => many(flags, name).length > 0
  const foreign = (kind === 'url' ? FOR_COMMAND : FOR_URL).find(isGiven)
  if (foreign !== undefined)
    throw new UsageError(
      `--${foreign} is for ${kind === 'url' ? 'a command, after --' : 'a server at a URL'}: leave it out`,
    )
  const [cwd] = many(flags, 'cwd')
  return {
    headers: Object.fromEntries(many(flags, 'header').map(readHeader)),
    env: Object.fromEntries(many(flags, 'env').map(readVariable)),
    cwd: cwd === undefined ? undefined : checkFolder('cwd', cwd),
  }
}

/** What was given of a setting, once or more than once. */
function many(flags: GivenSettings, name: string): readonly string[] {
  const given = flags[name]
  return given === undefined || given === false ? [] : [given as string | readonly string[]].flat() // As its kind says.
}

/** Any part of it may be a secret, and none is repeated. */
export function readHeader(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n\0]*)$/.exec(line) ?? []
  if (name !== '') return [name, value]
  throw new UsageError(
    `header: expected "Name: value", got ${line.length} characters that ${line.includes(':') ? 'begin with no name of a header' : 'have no colon'}`,
  )
}

/** `NAME` alone is handed on as it is here. */
function readVariable(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const value = at < 0 ? process.env[name] : text.slice(at + 1)
  if (name === '') throw new UsageError(`env: expected NAME=VALUE or NAME, got ${JSON.stringify(text)}`)
  if (value === undefined) throw new UsageError(`env: ${name} is not set here. Say ${name}=VALUE`)
  return [name, value]
}

export function checkFolder(name: string, folder: string): string {
  const path = resolve(folder)
  if (look(path)?.isDirectory()) return path
  throw new UsageError(`${name}: expected a folder, got ${JSON.stringify(folder)}`)
}
