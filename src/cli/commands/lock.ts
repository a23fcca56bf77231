import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type CallerChange, VERDICTS } from '../../contract/lock/change.ts'
import { compareLocks } from '../../contract/lock/compare.ts'
import { type Lock, makeLock, parseLock, printLock, SECTIONS } from '../../contract/lock/lock.ts'
import type { JsonObject } from '../../kernel/index.ts'
import type { ClientCommand, Talk } from '../client/command.ts'
import { type ListSource, listFrom } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'

interface LockWish {
  readonly file: string
  readonly check: boolean
  readonly strict: boolean
  readonly since: string | undefined
}

/** Writes down what a server promises to those who call it, or says what has become of it. */
export const lock: ClientCommand = {
  name: 'lock',
  summary:
    'writes down what a server promises to callers; --check says what has changed, and whether it breaks them',
  words: '[SERVER]',
  example: 'perigee lock ./server.ts --check',
  namesServer: true,
  settings: {
    check: {
      kind: 'switch',
      description: 'compares with the file, and writes nothing; ends with 1 if callers break',
    },
    since: {
      placeholder: 'GIT-REF',
      description: 'compares with the file as it was there, such as v1.2.0 or main',
    },
    strict: { kind: 'switch', description: 'ends with 1, too, where nobody can say whether callers break' },
    file: { placeholder: 'FILE', description: 'the file', fallback: 'perigee.lock' },
  },
  prepare({ words, flags }) {
    if (words.length > 0) throw new UsageError(`expected one server, got ${words.join(', ')} as well`)
    const wish: LockWish = {
      file: String(flags['file'] ?? 'perigee.lock'),
      check: flags['check'] === true || flags['since'] !== undefined,
      strict: flags['strict'] === true,
      since: flags['since'] as string | undefined, // As its kind says.
    }
    if (!wish.check) return (talk) => write(wish, talk)
    const before = readBefore(wish)
    return (talk) => check(before, wish, talk)
  },
}

/** What is there is read before a server is started. */
function readBefore({ file, since }: LockWish): Lock {
  const [text, name] =
    since === undefined ? [readHere(file), file] : [readThen(file, since), `${file} of ${since}`]
  try {
    return parseLock(text)
  } catch (error) {
    throw new UsageError(
      `${name} cannot be used: ${(error as Error).message}. Make it anew: perigee lock [SERVER]`,
    )
  }
}

function readHere(file: string): string {
  if (existsSync(file)) return attempt('read', file, () => readFileSync(file, 'utf8'))
  throw new UsageError(`there is no ${file} here. Make it with perigee lock [SERVER], and commit it`)
}

function readThen(file: string, since: string): string {
  const path = relative(process.cwd(), file).replaceAll('\\', '/')
  try {
    return execFileSync('git', ['show', '--end-of-options', `${since}:./${path}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string } // So it fails.
    throw new UsageError(`git has no ${path} of ${since}: ${oneLine(stderr || message, 300)}`)
  }
}

async function write({ file }: LockWish, { client, output, options, serverName }: Talk): Promise<void> {
  const lock = await lockOf({ client, options })
  const before = existsSync(file) ? attempt('read', file, () => readFileSync(file, 'utf8')) : undefined
  const text = printLock(lock)
  if (text !== before) attempt('written', file, () => writeFileSync(file, text))
  if (output.json) return output.sayJson({ file, hash: lock.hash, isNew: text !== before })
  const counts = SECTIONS.map((section) => countOf(Object.keys(lock[section]).length, section))
  output.say(
    `${file}: ${oneLine(serverName, 100)}, ${counts.join(', ')}${text === before ? '; as it was' : ''}\n${lock.hash}`,
  )
}

/** `1 tool`, `2 tools`. */
const countOf = (count: number, section: string) => `${count} ${count === 1 ? section.slice(0, -1) : section}`

function attempt<Result>(deed: 'read' | 'written', file: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw new UsageError(`file: ${file} cannot be ${deed}: ${(error as Error).message}`)
  }
}

export async function lockOf(listing: ListSource): Promise<Lock> {
  const [tools, prompts, resources, templates] = await Promise.all([
    listFrom('tools', listing),
    listFrom('prompts', listing),
    listFrom('resources', listing),
    listFrom('templates', listing),
  ])
  const plain = (list: readonly object[]) => list as readonly JsonObject[] // They came as JSON.
  return makeLock({
    tools: plain(tools),
    prompts: plain(prompts),
    resources: plain(resources),
    templates: plain(templates),
  })
}

async function check(before: Lock, wish: LockWish, { client, output, options }: Talk): Promise<void> {
  const after = await lockOf({ client, options })
  const changes = compareLocks(before, after)
  const verdict = changes[0]?.verdict ?? 'same'
  if (output.json) output.sayJson({ verdict, before: before.hash, after: after.hash, changes })
  else output.say(changes.length === 0 ? 'Nothing has changed for callers.' : changes.map(print).join('\n'))
  if (process.env['GITHUB_ACTIONS'] === 'true' && !output.json)
    for (const change of changes) output.say(annotate(wish.file, change))
  const breaks = verdict === 'breaking' || (wish.strict && verdict === 'undecided')
  if (breaks) throw new CommandError(EXIT_CODES.failed.code, output.json ? '' : summary(changes))
  if (changes.length > 0 && !output.json)
    output.note(`${summary(changes)} Nobody who calls breaks: perigee lock writes it down.`)
}

const print = ({ verdict, kind, name, words }: CallerChange): string =>
  `${verdict.padEnd(11)}${kind} ${oneLine(name, 100)}: ${oneLine(words, 400)}`

function summary(changes: readonly CallerChange[]): string {
  const counts = VERDICTS.map(
    (verdict) => [changes.filter((one) => one.verdict === verdict).length, verdict] as const,
  )
  return `${counts.flatMap(([count, verdict]) => (count === 0 ? [] : [`${count} ${verdict}`])).join(', ')}.`
}

const LEVELS: { readonly [verdict in CallerChange['verdict']]: string } = {
  breaking: 'error',
  undecided: 'warning',
  compatible: 'notice',
  wording: 'notice',
}

/** As GitHub shows it beside the change; what it takes for orders is written otherwise. */
function annotate(file: string, { verdict, kind, name, words }: CallerChange): string {
  const escaped = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${LEVELS[verdict]} file=${property(file)},title=${property(`${verdict} for callers`)}::${escaped(`${kind} ${name}: ${words}`)}`
}
