import { Mock } from '../../recording/mock.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { readNumber } from '../config.ts'
import { readLine } from '../flags.ts'
import { PARSE_ERROR, parseMessages } from '../mock/messages.ts'
import { UsageError } from '../usage-error.ts'
import { readRecording } from './replay.ts'

const SETTINGS = {
  http: { kind: 'switch', description: 'serves over HTTP' },
  port: { placeholder: 'N', description: 'the port' },
  help: { kind: 'switch', description: 'this text' },
} as const

const USAGE = `perigee mock: a server that says what a recording says, for the tests of a client

Usage: perigee mock FILE [options]

  --http     serves over HTTP, on this machine, and prints its address; on stdin and stdout unless said
  --port N   the port of that; 8181 unless said, 0 is any that is free
  --help     this text

A request is answered as the same request was, with what was said before its answer. What was asked more than once is
answered in turn, and then as the last time; what was never asked is an error that says what there is.

Example: perigee mock recording.jsonl --http --port 0`

const LONGEST_LINE = 64 * 1024 * 1024

/** Serves a recording. */
export async function mock(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(USAGE)
  const [file, ...more] = words
  if (file === undefined || more.length > 0) throw new UsageError('expected perigee mock FILE. See --help')
  if (flags['port'] !== undefined && flags['http'] !== true)
    throw new UsageError('--port is for HTTP, and this would serve on stdin and stdout: add --http')
  const served = new Mock(readRecording(file))
  if (flags['http'] !== true) return mockStdio(served)
  const { mockHttp } = await import('../mock/http.ts')
  const { url } = await mockHttp(served, readNumber('port', String(flags['port'] ?? '8181'), 65_535))
  console.log(url)
}

async function mockStdio(served: Mock): Promise<void> {
  const say = (message: unknown) => void process.stdout.write(`${JSON.stringify(message)}\n`)
  process.stdout.on('error', () => process.exit(0))
  const lines = new Lines(LONGEST_LINE)
  // Nobody has set an encoding.
  for await (const chunk of process.stdin)
    for (const line of lines.push(chunk as Buffer)) {
      const messages = typeof line === 'string' ? parseMessages(line) : undefined
      if (messages === undefined) say(PARSE_ERROR)
      for (const message of messages ?? []) void served.receive(message, say)
    }
}
