import { isAlone } from '../../modules/upstream/sign-in/settings.ts'
import {
  changeTokens,
  placeOf,
  readTokens,
  type SignedIn,
} from '../../modules/upstream/sign-in/token-book.ts'
import { explainSignIn } from '../../modules/upstream/sign-in/told.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { TOKENS } from './login.ts'
import { findUpstream, type NamedUpstream } from './named-upstream.ts'

const SETTINGS: SettingTable = {
  from: { kind: 'many', placeholder: 'FILE', description: 'the configuration that the gateway reads' },
  help: { kind: 'switch', description: 'shows this' },
}

const HELP = `Usage: perigee gateway logout NAME [options]

Forgets the tokens of a server, and has them not taken any more where whoever issued them can be told.

${printSettings('Options', SETTINGS)}

Example: perigee gateway logout github`

/** Signs somebody out of an upstream. */
export async function logOut(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(HELP)
  const [word, ...more] = words
  if (word === undefined || more.length > 0)
    throw new UsageError('expected one name: perigee gateway logout NAME')
  const upstream = findUpstream(word, (flags['from'] as string[] | undefined) ?? [])
  const { name, url } = upstream
  const place = placeOf(name, url)
  const signed = readTokens(TOKENS())[place]
  if (signed === undefined) throw new CommandError(EXIT_CODES.failed.code, `nobody is signed in to ${name}`)
  await changeTokens(TOKENS(), (book) =>
    Object.fromEntries(Object.entries(book).filter(([one]) => one !== place)),
  )
  process.stderr.write(`Signed out of ${name}, ${await revoked(upstream, signed)}.\n`)
}

/** What has become of the tokens. */
async function revoked({ url, entry: { oauth } }: NamedUpstream, signed: SignedIn): Promise<string> {
  if ((signed.refresh ?? signed.access) === undefined) return 'which had no tokens any more'
  try {
    const isTold =
      oauth !== undefined && isAlone(oauth)
        ? await (await import('../../modules/upstream/sign-in/sign-in-alone.ts')).signOutAlone(
            { url, settings: oauth },
            signed,
          )
        : await (await import('../../modules/upstream/sign-in/grants.ts')).revoke(signed)
    return isTold
      ? 'and its tokens are not taken any more'
      : 'but its tokens stay valid until they expire: their issuer cannot be told'
  } catch (error) {
    return `but its tokens may still be taken: ${oneLine(explainSignIn(error), 300)}`
  }
}
