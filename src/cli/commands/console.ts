import { defineServer } from '../../authoring/define-server.ts'
import { findRevision, REVISIONS, VERSION } from '../../kernel/index.ts'
import { type UpstreamOptions, upstream } from '../../modules/upstream/index.ts'
import { listenOnNode } from '../../transports/http/node/listen.ts'
import { readHeader } from '../client/reach.ts'
import { nameOfCommand } from '../command-name.ts'
import { readNumber } from '../config.ts'
import { checkConsoleKey } from '../console.ts'
import { environment } from '../environment.ts'
import { readLine, splitAtDashes } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

const USAGE = `perigee console: shows any MCP server in the browser, in every revision, whichever it speaks itself

Usage: perigee console URL [options]               a server over HTTP
       perigee console [options] -- <command>      a server on stdin and stdout, with the variables of this shell

  --header 'NAME: VALUE'   sent to it with every request, such as a key; may be repeated
  --revision DATE          speaks this revision to it; unless said, the newest that it knows
  --port N                 where the page is served on this machine; a free one unless said
  --console-key KEY        what opens the page (PERIGEE_CONSOLE_KEY), instead of one that is made up at each start
  --help                   this text

Example: perigee console -- node server.js`

const SETTINGS = {
  header: { kind: 'many', placeholder: 'TEXT', description: 'sent with every request' },
  revision: { placeholder: 'DATE', description: 'the revision to speak' },
  port: { placeholder: 'N', description: 'where the page is served' },
  'console-key': { placeholder: 'KEY', description: 'what opens the page' },
  help: { kind: 'switch', description: 'this text' },
} as const

/** A server that is not ours, and what it is called here. */
interface ShownServer {
  readonly name: string
  /** All of what was typed of it. */
  readonly description: string
  readonly options: UpstreamOptions
}

/** It is the upstream of a server that is there for its console alone. */
export async function showServer(args: readonly string[]): Promise<void> {
  const [own, command] = splitAtDashes(args)
  const { flags, words } = readLine(SETTINGS, own)
  if (flags['help'] === true) return console.log(USAGE)
  const given = flags as GivenFlags // As they are listed above.
  const key = readKey(given)
  const { name, description, options } =
    command.length > 0 ? byCommand(command, words, given) : byUrl(words, given)
  const server = defineServer({
    name,
    description: `${description}, through perigee console`,
    version: VERSION,
    modules: [upstream('server', options)],
  })
  const listening = await listenOnNode(server, {
    port: readNumber('port', given.port ?? '0', 65_535),
    console: { key, opensMcp: true },
    greeting: 'none',
    card: false, // It is there for whoever has its key.
  })
  process.stdout.on('error', () => {}) // Nobody has to read it.
  process.stdout.write(`${name} in a browser: ${listening.console}\nCtrl-C stops it.\n`)
}

/** It is looked at before anything is started. */
function readKey({ 'console-key': typed }: GivenFlags): string | undefined {
  if (typed !== undefined) return checkConsoleKey(typed, '--console-key')
  const set = process.env['PERIGEE_CONSOLE_KEY'] || undefined // An empty variable is how many shells say that it is not set.
  return set === undefined ? undefined : checkConsoleKey(set, 'PERIGEE_CONSOLE_KEY')
}

interface GivenFlags {
  readonly header?: readonly string[]
  readonly revision?: string
  readonly port?: string
  readonly 'console-key'?: string
}

function byUrl(words: readonly string[], given: GivenFlags): ShownServer {
  const [address = '', ...more] = words
  if (address === '' || more.length > 0)
    throw new UsageError(
      `expected the address of a server, or a command after --, got ${printWords(words)}. See --help`,
    )
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new UsageError(
      `expected an http or https URL, got ${JSON.stringify(address)}; a command comes after --: perigee console -- ${address}`,
    )
  const url = new URL(address)
  const headers = Object.fromEntries((given.header ?? []).map(readHeader))
  return {
    name: url.host,
    description: `${url.origin}${url.pathname}`,
    options: { url, headers, ...revisionOf(given) },
  }
}

function byCommand(line: readonly string[], words: readonly string[], given: GivenFlags): ShownServer {
  const [command = '', ...args] = line
  if (words.length > 0)
    throw new UsageError(
      `expected an address or a command after --, got both: ${printWords(words)} and ${printWords(line)}`,
    )
  if (given.header !== undefined)
    throw new UsageError('--header is for a server over HTTP, and this is a command')
  return {
    name: nameOfCommand(line),
    description: line.join(' ').slice(0, 200),
    options: { command, args, env: environment(), ...revisionOf(given) },
  }
}

function printWords(words: readonly string[]): string {
  return words.length === 0 ? 'neither' : words.map((one) => JSON.stringify(one)).join(' ')
}

function revisionOf({ revision }: GivenFlags): { readonly revision?: string } {
  if (revision === undefined) return {}
  if (findRevision(revision) !== undefined) return { revision }
  const known = REVISIONS.map(({ id }) => id).join(', ')
  throw new UsageError(`revision: expected one of ${known}, got ${JSON.stringify(revision)}`)
}
