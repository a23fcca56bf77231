import { toWire } from '../../kernel/index.ts'
import { boundStderr } from '../../process/bound-stderr.ts'
import { greet } from '../../process/greet.ts'
import { createKey } from '../../transports/http/console/access.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { takeStdout } from '../../transports/stdio/take-stdout.ts'
import { type Config, readNumber } from '../config.ts'
import { consoleKeyOf } from '../console.ts'
import { type Note, openLog } from '../log.ts'
import { type DevelopmentOptions, develop, endOnce, OVER } from './development.ts'
import { Pipe } from './pipe.ts'
import { together } from './seats.ts'

/** A child refuses what is too long for it; whatever is longer still is not handed to it. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Holds stdin and stdout for one client, for as long as that client wants. */
export async function holdPipe(options: DevelopmentOptions): Promise<void> {
  const { config, served } = options
  boundStderr()
  const { note } = openLog(() => served, config)
  const output = takeStdout(() => void end((child) => child.kill('SIGTERM')))
  const send = (line: string) => {
    if (output.write(`${line}\n`)) return
    pipe.pause()
    output.onceDrained(() => pipe.resume())
  }
  const pipe = new Pipe({
    send,
    sayStray: (text) => noteStray(note, text),
    lose: (child, lost) => void beside?.console?.lose(child, { ...lost, transport: 'stdio' }),
  })
  const consoleKey = consoleKeyOf(config) ?? createKey()
  const beside = config.switches.has('console') ? await portBeside(config, consoleKey) : undefined
  const seat = beside === undefined ? pipe : together([pipe, beside.seat])
  const behind = beside?.behind
  const development = develop({ ...options, behind, consoleKey }, seat, () => void end(() => {}))
  const end = endOnce(development)
  if (config.settings['log-level'] !== 'off') greet(served)
  for (const signal of SIGNALS) process.on(signal, () => void end((child) => child.kill('SIGTERM')))
  readLines(pipe, send)
  const closed = () => {
    pipe.release()
    void end((child) => child.input.end())
  }
  const close = () => void development.started.then(closed, OVER)
  process.stdin.on('end', close).on('error', close)
  await development.started
}

/** Hosts take it for messages, and some give up; whoever works on the file wants to see it. */
function noteStray(note: Note, text: string): void {
  const shown = text.length > MAX_STRAY ? `${text.slice(0, MAX_STRAY)}…` : text
  note('warning', `written to stdout, which is for messages alone: ${shown.trimEnd()}`)
}

const MAX_STRAY = 2000

/** The console of a server on a pipe is a port beside it. */
async function portBeside({ sources, settings }: Config, consoleKey: string) {
  const { openPort } = await import('./hold-port.ts')
  const port = sources['port'] === '--port' ? readNumber('port', settings['port'], 65_535) : 0
  return openPort({ host: '127.0.0.1', port, consoleKey })
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
