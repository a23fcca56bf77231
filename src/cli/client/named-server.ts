import { existsSync } from 'node:fs'
import { SERVERS } from '../../servers/index.ts'
import { environment } from '../environment.ts'
import type { CommandLine } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

/** What was typed, with the server that the first word names put where a client looks for it. */
export interface Addressed {
  readonly line: CommandLine
  readonly command: readonly string[]
}

/** Where one looks for a server of one's own. */
const USUAL = ['server.ts', 'server.js', 'server.mjs', 'src/server.ts', 'src/index.ts']

/** A server may be named by `--url`, by a command after `--`, or by one word: an address, a file, one of ours. */
export function addressServer(line: CommandLine, command: readonly string[]): Addressed {
  if (command.length > 0 || line.flags['url'] !== undefined) return { line, command }
  const [word = findUsual(), ...words] = line.words
  if (/^(https?|unix):/i.test(word)) return { line: { words, flags: { ...line.flags, url: word } }, command }
  const isFile = existsSync(word)
  if (!isFile && !Object.hasOwn(SERVERS, word))
    throw new UsageError(
      `there is no server ${word}. Expected a file, an address, or one of ${Object.keys(SERVERS).join(', ')}; a command comes after --`,
    )
  const file = isFile && !/[\\/]/.test(word) ? `./${word}` : word
  return {
    line: { words, flags: { ...line.flags, env: [...variables(), ...givenEnv(line)] } },
    // A model may be shown less of it than it has.
    command: [process.execPath, process.argv[1] ?? '', 'serve', file, '--offer', 'all'],
  }
}

export function findUsual(): string {
  const found = USUAL.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new UsageError(
    `which server? Name a file, an address, or a command after --; none of ${USUAL.join(', ')} is here`,
  )
}

/** A server of one's own has those of this shell. */
const variables = () => Object.entries(environment()).map(([name, value]) => `${name}=${value}`)
const givenEnv = ({ flags }: CommandLine) => (flags['env'] ?? []) as readonly string[] // As its kind says.
