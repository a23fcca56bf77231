import { connect } from '../../client/index.ts'
import type { SignedIn } from '../../modules/upstream/sign-in/token-book.ts'
import { changeTokens, placeOf, readTokens } from '../../modules/upstream/sign-in/token-book.ts'
import { oneLine } from '../client/printable.ts'
import { readNumber } from '../config.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { openBrowser } from './browser.ts'
import { homeFolder } from './home.ts'
import { findUpstream, type NamedUpstream } from './named-upstream.ts'
import { openRedirect, type Redirect } from './redirect.ts'

export const TOKENS = () => homeFolder('tokens.json')

const SETTINGS: SettingTable = {
  from: { kind: 'many', placeholder: 'FILE', description: 'the configuration that the gateway reads' },
  scope: {
    placeholder: 'SCOPES',
    description: 'what to ask for, parted by spaces; what the server wants, unless said',
  },
  'client-id': {
    placeholder: 'ID',
    description:
      'how this program is known there: an id that was registered, or the https address of its document',
  },
  'client-secret-env': {
    placeholder: 'VARIABLE',
    description: 'the variable that holds its secret, where it has one',
  },
  issuer: { placeholder: 'URL', description: 'where to sign in, of several places' },
  port: {
    placeholder: 'N',
    description: 'the port that the browser comes back to, where it must be a certain one',
  },
  timeout: { placeholder: 'SECONDS', description: 'how long you have', fallback: '300' },
  'no-browser': { kind: 'switch', description: 'prints the address, and opens nothing' },
  help: { kind: 'switch', description: 'shows this' },
}

const HELP = `Usage: perigee gateway login NAME [options]

Signs in to a server of the configuration, or at an address, in the browser. A gateway that runs takes it up by itself.

${printSettings('Options', SETTINGS)}

Example: perigee gateway login github`

type Flags = { readonly [name: string]: unknown }

/** Signs somebody in to an upstream, and keeps the tokens where only they can read them. */
export async function logIn(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(HELP)
  const [word, ...more] = words
  if (word === undefined || more.length > 0)
    throw new UsageError('expected one name: perigee gateway login NAME')
  const upstream = findUpstream(word, (flags['from'] as string[] | undefined) ?? [])
  const patienceMs = readNumber('timeout', String(flags['timeout'] ?? '300'), 86_400) * 1000
  const path = TOKENS()
  const place = placeOf(upstream.name, upstream.url)
  const before = readTokens(path)[place]
  const redirect = await openPort(flags, before)
  try {
    const signed = await signIn(upstream, { flags, before, redirect, patienceMs })
    await changeTokens(path, (book) => ({ ...book, [place]: signed }))
    process.stderr.write(`Signed in to ${upstream.name}. ${await greet(upstream, signed)}\n`)
  } catch (error) {
    throw new CommandError(EXIT_CODES.failed.code, oneLine(explain(error), 1000))
  } finally {
    redirect.close()
  }
}

interface SignInOptions {
  readonly flags: Flags
  readonly before: SignedIn | undefined
  readonly redirect: Redirect
  readonly patienceMs: number
}

async function signIn({ name, url }: NamedUpstream, options: SignInOptions): Promise<SignedIn> {
  const { flags, before, redirect, patienceMs } = options
  const { discover } = await import('../../modules/upstream/sign-in/discover.ts')
  const { beginSignIn, findClient } = await import('../../modules/upstream/sign-in/sign-in.ts')
  const place = await discover(url, flags['issuer'] as string | undefined)
  const given = givenClient(flags)
  const client = await findClient(place, redirect.address, { before, ...(given !== undefined && { given }) })
  const begun = await beginSignIn(place, client, flags['scope'] as string | undefined)
  process.stderr.write(
    `To sign in to ${name} at ${new URL(place.server.issuer).host}, open:\n\n  ${begun.url}\n\n`,
  )
  if (flags['no-browser'] !== true) openBrowser(begun.url)
  const stray = 'This is not the answer that is waited for. Sign in by the address in the terminal.'
  const answer = await redirect.answer((one) => (begun.isOurs(one) ? undefined : stray), patienceMs)
  return begun.finish(answer, Date.now())
}

/** A program that has registered with an address is known by that; where it is taken, it registers again. */
async function openPort(flags: Flags, before: SignedIn | undefined): Promise<Redirect> {
  if (flags['port'] !== undefined) return openRedirect(readNumber('port', String(flags['port']), 65_535))
  const known = before === undefined ? 0 : Number(new URL(before.client.redirect).port)
  return openRedirect(known).catch(() => openRedirect(0))
}

function givenClient(flags: Flags): { readonly id: string; readonly secret?: string } | undefined {
  const id = flags['client-id']
  const variable = flags['client-secret-env']
  if (id === undefined && variable === undefined) return undefined
  if (id === undefined) throw new UsageError('--client-secret-env is for --client-id, and there is none')
  if (variable === undefined) return { id: String(id) }
  const secret = process.env[String(variable)]
  if (secret === undefined)
    throw new UsageError(`client-secret-env: the variable ${String(variable)} is not set`)
  return { id: String(id), secret }
}

/** Whether the server lets somebody in with it is told, and changes nothing. */
async function greet({ url, entry }: NamedUpstream, { access = '' }: SignedIn): Promise<string> {
  try {
    await using client = await connect(url, {
      headers: { authorization: `Bearer ${access}`, ...entry.headers },
    })
    const { length } = await client.tools()
    return `It has ${length} ${length === 1 ? 'tool' : 'tools'}.`
  } catch (error) {
    return `It does not let you in yet: ${oneLine((error as Error).message, 300)}`
  }
}

/** What an authorization server says, if it says anything; tokens and codes are in none of it. */
export function explain(error: unknown): string {
  const {
    message,
    error: code,
    error_description: words,
  } = error as Error & { error?: unknown; error_description?: unknown }
  if (typeof code !== 'string') return message
  return `you were not signed in: ${code}${typeof words === 'string' ? `: ${words}` : ''}`
}
