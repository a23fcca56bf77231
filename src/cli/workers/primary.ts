import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundStderr } from '../../process/bound-stderr.ts'
import { type Config, readNumber } from '../config.ts'
import { openLog } from '../log.ts'
import { Crew } from './crew.ts'
import { INHERITANCE } from './inheritance.ts'

interface PrimaryOptions {
  /** Of what is served. */
  readonly name: string
  readonly config: Config
  readonly size: number
  readonly shutdownMs: number | undefined
}

/** As over HTTP, and a little for whatever comes after. */
const SHUTDOWN_MS = 30_000
const AFTER_MS = 5000

/** Has workers serve on one port, until a signal ends them all. */
export async function runWorkers({ name, config, size, shutdownMs = SHUTDOWN_MS }: PrimaryOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-workers-')) // For its owner alone.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  boundStderr()
  process.stdout.on('error', () => {}) // Nobody has to read the welcome.
  const crew = new Crew({
    size,
    environment: {
      ...INHERITANCE.give({
        folder,
        store: `sqlite:${join(folder, 'shared.db')}`,
        secret: randomBytes(32).toString('base64url'),
        port: await choosePort(config),
      }),
      ...(process.stderr.isTTY && config.settings['log-format'] === undefined && PRETTY),
    },
    leaveMs: shutdownMs + AFTER_MS,
    ends: () => void end(crew),
    note: openLog(() => name, config).note,
  })
  watchSignals(crew)
  try {
    await crew.start()
  } catch (error) {
    await crew.end()
    throw error
  }
}

/** Workers write to a pipe, whatever becomes of it. */
const PRETTY = { PERIGEE_LOG_FORMAT: 'pretty' }

/** Each worker would find one of its own when the one before has ended. */
async function choosePort({ settings }: Config): Promise<number> {
  const port = readNumber('port', settings['port'], 65_535)
  if (port !== 0) return port
  const finder = createServer().listen(0, settings['host'])
  await once(finder, 'listening')
  const found = finder.address() as AddressInfo // It listens on a port, not on a pipe.
  finder.close()
  await once(finder, 'close')
  return found.port
}

function watchSignals(crew: Crew): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(crew))
  // A terminal that is closed says so by the same signal by which others ask for a restart.
  process.on('SIGHUP', () => void (process.stdin.isTTY ? end(crew) : crew.renew()))
}

let ending = false

async function end(crew: Crew): Promise<void> {
  if (ending) crew.kill() // Whoever asks twice does not want to wait.
  ending = true
  process.exit((await crew.end()) ? 0 : 1)
}
