import { benchHttp } from '../../bench/bench-http.ts'
import { benchStdio } from '../../bench/bench-stdio.ts'
import { NoAnswerError, ServerLostError, UnknownToolError } from '../../bench/errors.ts'
import { type BenchOptions, type Measurement, printMetrics } from '../../bench/metrics.ts'
import { findRevision, NEWEST_HANDSHAKE, type Revision } from '../../kernel/index.ts'
import { CommandOutput } from '../client/output.ts'
import { readHeader } from '../client/reach.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine, splitAtDashes } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

const USAGE = `perigee bench: puts a server under load for a few seconds, and prints how it did beside a bare loop

Usage: perigee bench [options] -- COMMAND …   a server on stdio
       perigee bench [options] URL            a server over HTTP

  --tool NAME        the tool to call; otherwise one that says it only reads and needs no arguments, or ping
  --args JSON        the arguments to call it with
  --revision ID      the revision to speak, ${NEWEST_HANDSHAKE.id} unless said
  --seconds N        how long each measurement goes on, 1 unless said, at most 30
  --header "X: y"    a header to send, as often as needed
  --remote           says that the server on another machine is yours to put under load
  --json             prints the figures as JSON
  --help             this text

Example: perigee bench --tool echo --args '{"text":"hi"}' -- node server.js`

const SETTINGS = {
  tool: { placeholder: 'NAME', description: 'the tool to call' },
  args: { placeholder: 'JSON', description: 'its arguments' },
  revision: { placeholder: 'ID', description: 'the revision to speak' },
  seconds: { placeholder: 'N', description: 'how long each measurement goes on' },
  header: { kind: 'many', placeholder: '"X: y"', description: 'a header to send' },
  remote: { kind: 'switch', description: 'the server on another machine is yours' },
  json: { kind: 'switch', description: 'prints JSON' },
  help: { kind: 'switch', description: 'this text' },
} as const

interface BenchFlags {
  readonly tool?: string
  readonly args?: string
  readonly revision?: string
  readonly seconds?: string
  readonly header?: readonly string[]
  readonly remote?: boolean
  readonly json?: boolean
}

/** Puts a server under load for a few seconds, and prints how it did beside the limit of the machine. */
export async function bench(args: readonly string[]): Promise<void> {
  const [own, command] = splitAtDashes(args)
  const { flags, words } = readLine(SETTINGS, own)
  if (flags['help'] === true) return console.log(USAGE)
  const given = flags as BenchFlags // As they are listed above.
  const measure = readWish(given, words, command)
  const output = new CommandOutput(given.json === true, () => process.exit(EXIT_CODES.done.code))
  output.showStatus('measuring, one thing after the other …')
  const measured = await measure().catch(explain)
  if (output.json) output.sayJson(measured)
  else output.say(printMetrics(measured))
}

/** What was typed is looked at before anything is measured. */
function readWish(
  given: BenchFlags,
  words: readonly string[],
  command: readonly string[],
): () => Promise<Measurement> {
  const options: BenchOptions = {
    tool: given.tool,
    args: readArguments(given.args),
    revision: readRevision(given.revision),
    seconds: readSeconds(given.seconds ?? '1'),
  }
  if (command.length > 0 && words.length === 0) return () => benchStdio(command, options)
  const [address, ...more] = words
  if (command.length > 0 || address === undefined || more.length > 0)
    throw new UsageError('expected a URL, or -- and a command. See --help')
  const remote = given.remote === true
  const url = readUrl(address, remote)
  const headers = (given.header ?? []).map((line) => readHeader(line).join(': '))
  return () => benchHttp(url, { ...options, headers, remote })
}

/** A tool that is not there was mistyped; the rest is the server's. */
function explain(error: unknown): never {
  if (error instanceof UnknownToolError) throw new UsageError(error.message)
  if (error instanceof ServerLostError) throw new CommandError(EXIT_CODES.unreachable.code, error.message)
  throw error instanceof NoAnswerError ? new CommandError(EXIT_CODES.late.code, error.message) : error
}

function readArguments(text: string | undefined): BenchOptions['args'] {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below, as for other values that are no object.
  }
  throw new UsageError(`args: expected a JSON object, got ${JSON.stringify(text)}`)
}

function readRevision(id: string | undefined): Revision {
  const revision = id === undefined ? NEWEST_HANDSHAKE : findRevision(id)
  if (revision === undefined) throw new UsageError(`revision: there is no revision ${id}`)
  return revision
}

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds >= 0.1 && seconds <= 30) return seconds
  throw new UsageError(`seconds: expected a number between 0.1 and 30, got ${JSON.stringify(text)}`)
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A load is only put on other people's machines by those who say that they may. */
function readUrl(address: string, remote: boolean): URL {
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new UsageError(`expected an http or https URL, got ${JSON.stringify(address)}`)
  const url = new URL(address)
  if (remote || LOOPBACK.test(url.hostname)) return url
  throw new UsageError(
    `${url.hostname} is not this machine; if the server is yours to put under load, say so with --remote`,
  )
}
