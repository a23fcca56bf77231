import { toWire } from '../../kernel/index.ts'
import { boundStderr } from '../../process/bound-stderr.ts'
import { greet } from '../../process/greet.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { takeStdout } from '../../transports/stdio/take-stdout.ts'
import { nameOfFile } from '../server-file.ts'
import { type DevelopmentOptions, develop, endOnce } from './development.ts'
import { Pipe } from './pipe.ts'

/** A child refuses what is too long for it; whatever is longer still is not handed to it. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Holds stdin and stdout for one client, for as long as that client wants. */
export async function holdPipe(options: DevelopmentOptions): Promise<void> {
  const { config, file } = options
  boundStderr()
  const output = takeStdout(() => void end((child) => child.kill('SIGTERM')))
  const send = (line: string) => {
    if (output.write(`${line}\n`)) return
    pipe.pause()
    output.onceDrained(() => pipe.resume())
  }
  const pipe = new Pipe(send)
  const development = develop(options, pipe, () => void end(() => {}))
  const end = endOnce(development)
  if (config.settings['log-level'] !== 'off') greet(nameOfFile(file))
  for (const signal of SIGNALS) process.on(signal, () => void end((child) => child.kill('SIGTERM')))
  readLines(pipe, send)
  const closed = async () => {
    await development.started
    pipe.release()
    await end((child) => child.input.end())
  }
  process.stdin.on('end', () => void closed()).on('error', () => void closed())
  await development.started
}

function readLines(pipe: Pipe, send: (line: string) => void): void {
  const lines = new Lines(MAX_LINE_BYTES)
  const take = (read: ReturnType<Lines['end']>) => {
    for (const line of read) {
      if (typeof line === 'string') pipe.hear(line)
      else send(JSON.stringify({ jsonrpc: '2.0', id: line.id ?? null, error: toWire(line.fault) }))
    }
  }
  process.stdin.on('data', (chunk: Buffer) => take(lines.push(chunk)))
  process.stdin.on('end', () => take(lines.end()))
}
