import { hasAuthorization, hasUser, missingOf } from '../../modules/upstream/sign-in/advice.ts'
import { UnreachableError } from '../../modules/upstream/sign-in/oauth-fetch.ts'
import { isAlone, type SignInSettings } from '../../modules/upstream/sign-in/settings.ts'
import {
  changeTokens,
  placeOf,
  readTokens,
  type SignedIn,
} from '../../modules/upstream/sign-in/token-book.ts'
import { explainSignIn } from '../../modules/upstream/sign-in/told.ts'
import { oneLine } from '../client/printable.ts'
import { readNumber } from '../config.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { countTools } from './count-tools.ts'
import { homeFolder } from './home.ts'
import { findUpstream, type NamedUpstream } from './named-upstream.ts'
import { type PersonOptions, signInPerson } from './sign-in-person.ts'

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
  checkUnsigned(upstream)
  const settings = { ...upstream.entry.oauth, ...given(flags) }
  const patienceMs = readNumber('timeout', String(flags['timeout'] ?? '300'), 86_400) * 1000
  const path = TOKENS()
  const place = placeOf(upstream.name, upstream.url)
  const before = readTokens(path)[place]
  try {
    const opens = flags['no-browser'] !== true
    const signed = await signIn(upstream, { settings, before, patienceMs, opens })
    if (typeof signed === 'string') return void process.stderr.write(`${signed}\n`)
    await changeTokens(path, (book) => ({ ...book, [place]: signed }))
    const missing = missingOf(settings.scope, signed.scope).join(' ')
    const less = missing === '' ? '' : `, but not for ${oneLine(missing)}, which was not granted`
    process.stderr.write(`Signed in to ${upstream.name}${less}. ${await greet(upstream, signed)}\n`)
  } catch (error) {
    const exit = error instanceof UnreachableError ? EXIT_CODES.unreachable : EXIT_CODES.failed
    throw new CommandError(exit.code, oneLine(explainSignIn(error), 1000))
  }
}

/** A token that nobody would use is not worth anybody's password. */
function checkUnsigned({ name, entry }: NamedUpstream): void {
  if (!hasAuthorization(entry)) return
  const what = hasUser(entry.url ?? '') ? 'the user in its address' : 'the header authorization of its entry'
  throw new UsageError(
    `${name} is told who calls by ${what}, and a token would not be used. Leave that out to sign in`,
  )
}

/** Gives who has signed in, or why nobody needs to. */
async function signIn(upstream: NamedUpstream, options: PersonOptions): Promise<SignedIn | string> {
  const { settings, before } = options
  if (!isAlone(settings)) return signInPerson(upstream, options)
  const { signInAlone } = await import('../../modules/upstream/sign-in/sign-in-alone.ts')
  return signInAlone({ url: upstream.url, settings, before, now: Date.now() })
}

/** What was said on the command line, which counts before what stands in a file. */
function given(flags: Flags): SignInSettings {
  const { 'client-id': clientId, 'client-secret-env': variable, scope, issuer, port } = flags
  if (variable !== undefined && clientId === undefined)
    throw new UsageError('--client-secret-env is for --client-id, and there is none')
  const secret = variable === undefined ? undefined : process.env[String(variable)]
  if (variable !== undefined && secret === undefined)
    throw new UsageError(`client-secret-env: the variable ${String(variable)} is not set`)
  return {
    ...(clientId !== undefined && { clientId: String(clientId), clientSecret: secret }),
    ...(scope !== undefined && { scope: String(scope) }),
    ...(issuer !== undefined && { issuer: String(issuer) }),
    ...(port !== undefined && { callbackPort: readNumber('port', String(port), 65_535) }),
  } as SignInSettings // A secret that is none takes the place of one that is another client's.
}

/** Whether the server lets somebody in with it is told, and changes nothing. */
async function greet(upstream: NamedUpstream, { access = '' }: SignedIn): Promise<string> {
  try {
    return `It has ${await countTools(upstream, { authorization: `Bearer ${access}` })}.`
  } catch (error) {
    return `It does not let you in yet: ${oneLine((error as Error).message, 300)}`
  }
}
