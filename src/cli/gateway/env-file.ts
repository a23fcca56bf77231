import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { readPlainFile } from '../../confined/read-plain-file.ts'
import { describe } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { workspaceOf } from './workspace.ts'

/** The variables of an entry's `envFile`, as VS Code and Cursor have it: lines of NAME=VALUE. */
export function readEnvFile(path: unknown, file: string, where: string): { readonly [name: string]: string } {
  if (path === undefined) return {}
  if (typeof path !== 'string')
    throw new UsageError(`${where}: envFile: expected a path, got ${describe(path)}`)
  const named = resolve(workspaceOf(file), path)
  try {
    return parseEnv(readPlainFile(named)) as { [name: string]: string } // It has none without a value.
  } catch (error) {
    throw new UsageError(
      `${where}: envFile: ${named} cannot be read: ${(error as Error).message}. Write what it needs into env, or leave envFile out`,
    )
  }
}
