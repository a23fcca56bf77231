import { parseArgs } from 'node:util'
import type { ReadyServer } from '../servers/ready-server.ts'

/** A mistake in what was typed or set; the message says what was expected. */
export class UsageError extends Error {}

export interface Typed {
  readonly help: boolean
  readonly version: boolean
  readonly settings: { readonly [name: string]: string }
}

/** The only reader of flags and environment variables: a flag stands over its variable, that over the default. */
export function readConfig(server: ReadyServer, args: readonly string[]): Typed {
  const flags = readFlags(server, args)
  const settings = Object.entries(server.settings).map(([name, { environment, fallback }]) => {
    const value = flags[name] ?? process.env[environment] ?? fallback
    if (value === '') throw new UsageError(`${name}: expected a value, got an empty one`)
    return [name, String(value)] as const
  })
  return {
    help: flags['help'] === true,
    version: flags['version'] === true,
    settings: Object.fromEntries(settings),
  }
}

function readFlags(server: ReadyServer, args: readonly string[]): { readonly [name: string]: unknown } {
  const known = Object.keys(server.settings).map((name) => [name, { type: 'string' }] as const)
  const options = {
    ...Object.fromEntries(known),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (error) {
    const flagNames = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. Expected: ${flagNames.join(', ')}`)
  }
}
