import { parseArgs } from 'node:util'
import { benchHttp } from '../../bench/bench-http.ts'
import { benchStdio } from '../../bench/bench-stdio.ts'
import { UnknownToolError } from '../../bench/choose.ts'
import { type BenchOptions, printMetrics } from '../../bench/metrics.ts'
import { findRevision, NEWEST_HANDSHAKE, type Revision } from '../../kernel/index.ts'
import { splitAtDashes } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

const USAGE = `Usage: perigee bench [options] -- <command …>   measure a server on stdio
       perigee bench [options] <URL>              measure a server over HTTP

  --tool NAME        the tool to call; otherwise one that says it only reads and needs no arguments, or ping
  --args JSON        the arguments to call it with
  --revision ID      the revision to speak, ${NEWEST_HANDSHAKE.id} unless said
  --seconds N        how long each measurement goes on, 1 unless said, at most 30
  --header "X: y"    a header to send, as often as needed
  --remote           says that the server on another machine is yours to put under load`

const OPTIONS = {
  tool: { type: 'string' },
  args: { type: 'string' },
  revision: { type: 'string' },
  seconds: { type: 'string', default: '1' },
  header: { type: 'string', multiple: true },
  remote: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Puts a server under load for a few seconds, and prints how it did beside the limit of the machine. */
export async function bench(args: readonly string[]): Promise<void> {
  const [own, command] = splitAtDashes(args)
  const { values, positionals } = readArgs(own)
  if (values.help) return console.log(USAGE)
  const options: BenchOptions = {
    tool: values.tool,
    args: readArguments(values.args),
    revision: readRevision(values.revision),
    seconds: readSeconds(values.seconds),
  }
  if (command.length > 0 && positionals.length === 0)
    return console.log(printMetrics(await benchStdio(command, options).catch(explain)))
  const [address] = positionals
  if (command.length > 0 || address === undefined || positionals.length > 1)
    throw new UsageError(`expected a URL, or -- and a command\n${USAGE}`)
  const url = readUrl(address, values.remote)
  const headers = (values.header ?? []).map(readHeader)
  console.log(
    printMetrics(await benchHttp(url, { ...options, headers, remote: values.remote }).catch(explain)),
  )
}

/** A tool that is not there was mistyped. */
function explain(error: unknown): never {
  throw error instanceof UnknownToolError ? new UsageError(error.message) : error
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`) // parseArgs throws TypeErrors.
  }
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

function readHeader(line: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+:[^\r\n]*$/.test(line)) return line
  throw new UsageError(`header: expected "Name: value", got ${JSON.stringify(line)}`)
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
