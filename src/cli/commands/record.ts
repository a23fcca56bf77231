import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { Recorder } from '../../recording/recorder.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine, splitAtDashes } from '../flags.ts'
import { UsageError } from '../usage-error.ts'

const SETTINGS = {
  file: { placeholder: 'FILE', description: 'where it is written' },
  help: { kind: 'switch', description: 'this text' },
} as const

const USAGE = `perigee record: stands between a host and a server on stdio, and writes down what they say

Usage: perigee record [options] -- COMMAND …

  --file FILE   where it is written, for its owner alone; recording.jsonl unless said, and added to if it is there
  --help        this text

Secrets are masked, and requests are numbered in their order. A server of ours takes --record FILE itself, over HTTP too.

Example: perigee record --file issue-12.jsonl -- npx -y some-server`

/** More than any message that a host sends. */
const LONGEST_LINE = 64 * 1024 * 1024
const LARGEST = 1024 * 1024 * 1024

/** Hands on every byte as it is, and writes the messages down on their way. */
export async function record(args: readonly string[]): Promise<void> {
  const [own, command] = splitAtDashes(args)
  const { flags, words } = readLine(SETTINGS, own)
  if (flags['help'] === true) return console.log(USAGE)
  const [program, ...rest] = command
  if (program === undefined || words.length > 0)
    throw new UsageError('which server? Expected perigee record [--file FILE] -- COMMAND …')
  const recorder = openRecorder(String(flags['file'] ?? 'recording.jsonl'))
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {}) // It has ended, which its end tells.
  process.stdout.on('error', () => child.stdin.end())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [asked, said] = [new Lines(LONGEST_LINE), new Lines(LONGEST_LINE)]
  process.stdin.on('data', (chunk: Buffer) => note(recorder, 'in', asked.push(chunk))).pipe(child.stdin)
  child.stdout.on('data', (chunk: Buffer) => note(recorder, 'out', said.push(chunk))).pipe(process.stdout)
  const [code, signal] = (await once(child, 'close').catch((error: Error) => {
    process.stdin.destroy()
    throw new CommandError(EXIT_CODES.unreachable.code, `${program} cannot be started: ${error.message}`)
  })) as [number | null, NodeJS.Signals | null]
  recorder.close()
  process.stdin.destroy()
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'] // As a shell would.
}

function openRecorder(path: string): Recorder {
  try {
    return new Recorder(path, {
      maxBytes: LARGEST,
      now: Date.now,
      stopped: (reason) => process.stderr.write(`perigee: ${reason}\n`),
    })
  } catch (error) {
    throw new UsageError(`file: ${path} cannot be written: ${(error as Error).message}`)
  }
}

/** What is no message passes, and is not written down. */
function note(recorder: Recorder, direction: 'in' | 'out', lines: ReturnType<Lines['push']>): void {
  for (const line of lines) {
    const message = typeof line === 'string' ? parse(line) : undefined
    if (message !== undefined) recorder.write('c1', direction, message)
  }
}

function parse(line: string): JsonObject | readonly JsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) || (Array.isArray(value) && value.every(isObject)) ? value : undefined
  } catch {
    return undefined // The other side will say so.
  }
}
