import { join } from 'node:path'
import { packageFolder } from '../../process/package-folder.ts'

/** The command that runs this package again, wherever a host starts it: by absolute paths, since it is published nowhere. */
export function perigeeCommand(args: readonly string[]): {
  readonly command: string
  readonly args: readonly string[]
} {
  const file = join(packageFolder(), 'dist', 'cli', 'bin', 'perigee.js')
  return { command: process.execPath, args: [file, ...args] }
}

/** Whether npm may throw this copy of the package away. */
export function isCached(): boolean {
  return /[\\/]_npx[\\/]/.test(packageFolder())
}
