import { isObject } from '../../kernel/index.ts'
import { Mock } from '../../recording/mock.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { readLine } from '../flags.ts'
import { UsageError } from '../usage-error.ts'
import { readRecording } from './replay.ts'

const USAGE = `perigee mock: a server on stdio that says what a recording says, for the tests of a client

Usage: perigee mock FILE

A request is answered as the same request was, with what was said before its answer. What was asked more than once is
answered in turn, and then as the last time; what was never asked is an error that says what there is.

  --help   this text

Example: perigee mock recording.jsonl`

const LONGEST_LINE = 64 * 1024 * 1024

/** Serves a recording. */
export async function mock(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine({ help: { kind: 'switch', description: 'this text' } }, args)
  if (flags['help'] === true) return console.log(USAGE)
  const [file, ...more] = words
  if (file === undefined || more.length > 0) throw new UsageError('expected perigee mock FILE. See --help')
  const served = new Mock(readRecording(file), (message) =>
    process.stdout.write(`${JSON.stringify(message)}\n`),
  )
  process.stdout.on('error', () => process.exit(0))
  const lines = new Lines(LONGEST_LINE)
  for await (const chunk of process.stdin)
    for (const line of lines.push(chunk as Buffer)) receive(served, line) // Nobody has set an encoding.
}

function receive(served: Mock, line: ReturnType<Lines['push']>[number]): void {
  let message: unknown
  try {
    message = typeof line === 'string' ? JSON.parse(line) : undefined
  } catch {
    message = undefined // Told below.
  }
  if (isObject(message)) void served.receive(message)
  else
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })}\n`,
    )
}
