import { chownSync } from 'node:fs'

/** Nobody in particular. */
const SOMEBODY = 65_534

const isRoot = process.getuid?.() === 0

/** A command as somebody to whom not everything is allowed: root lets somebody else run it. */
export function asSomebody(command: string, args: readonly string[]) {
  if (!isRoot) return { command, args }
  const other = [`--reuid=${SOMEBODY}`, `--regid=${SOMEBODY}`, '--clear-groups', '--']
  return { command: 'setpriv', args: [...other, command, ...args] }
}

/** Gives things to whoever runs such commands. */
export function giveToSomebody(...paths: readonly string[]): void {
  if (isRoot) for (const path of paths) chownSync(path, SOMEBODY, SOMEBODY)
}
