import { changeTokens, placeOf, readTokens } from '../../modules/upstream/sign-in/token-book.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { explain, TOKENS } from './login.ts'
import { findUpstream } from './named-upstream.ts'

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
  const { name, url } = findUpstream(word, (flags['from'] as string[] | undefined) ?? [])
  const place = placeOf(name, url)
  const signed = readTokens(TOKENS())[place]
  if (signed === undefined) throw new CommandError(EXIT_CODES.failed.code, `nobody is signed in to ${name}`)
  await changeTokens(TOKENS(), (book) =>
    Object.fromEntries(Object.entries(book).filter(([one]) => one !== place)),
  )
  const { revoke } = await import('../../modules/upstream/sign-in/grants.ts')
  const told = await revoke(signed).catch((error: unknown) => explain(error))
  const what = {
    true: 'and its tokens are not taken any more',
    false: 'but its tokens stay valid until they expire: their issuer cannot be told',
  }
  const rest =
    typeof told === 'string' ? `but its tokens may still be taken: ${oneLine(told, 300)}` : what[`${told}`]
  process.stderr.write(`Signed out of ${name}, ${rest}.\n`)
}
