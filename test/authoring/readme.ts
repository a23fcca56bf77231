import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')

/** What is plugged in as a command: `claude mcp add NAME -- COMMAND`. */
export const COMMANDS = [...README.matchAll(/^claude mcp add (\S+) -- (npx .*?)(?: +#.*)?$/gm)].map(
  ([, name = '', command = '']) => ({ name, command }),
)
