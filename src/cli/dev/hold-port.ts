import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundStderr } from '../../process/bound-stderr.ts'
import { createKey } from '../../transports/http/console/access.ts'
import { listen } from '../../transports/http/node/listen.ts'
import { readNumber } from '../config.ts'
import { consoleKeyOf } from '../console.ts'
import { handOnLines } from '../workers/one-log.ts'
import type { DevBequest } from './apprentice.ts'
import type { DevChild } from './child.ts'
import { DevConsole } from './dev-console.ts'
import { type DevelopmentOptions, develop, endOnce } from './development.ts'
import { hostsOf } from './front.ts'
import { Port } from './port.ts'

/** Holds the port for its clients, until a signal ends it. */
export async function holdPort(options: DevelopmentOptions): Promise<void> {
  boundStderr()
  process.stdout.on('error', () => {}) // Nobody has to read the welcome.
  const { settings, switches } = options.config
  const port = readNumber('port', settings['port'], 65_535)
  const consoleKey = consoleKeyOf(options.config) ?? createKey()
  const { seat, behind, close } = await openPort({
    host: settings['host'] ?? '',
    port,
    consoleKey: switches.has('console') ? consoleKey : undefined,
    // What children print, such as the welcome of the first.
    took: (child) => handOnLines(child.output, process.stdout),
  })
  const development = develop({ ...options, behind, consoleKey }, seat, () => void end(() => {}))
  const end = endOnce(development)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      close()
      void end((child) => child.kill('SIGTERM'))
    })
  await development.started
}

interface PortWanted {
  readonly host: string
  readonly port: number
  /** What opens the console, where there is one. */
  readonly consoleKey: string | undefined
  /** Told of every child that takes over. */
  readonly took?: (child: DevChild) => void
}

interface HeldPort {
  readonly seat: Port
  readonly console: DevConsole | undefined
  readonly behind: NonNullable<DevBequest['behind']>
  close(): void
}

/** A port that is held for whichever child serves. */
export async function openPort({ consoleKey, took, ...address }: PortWanted): Promise<HeldPort> {
  const console =
    consoleKey === undefined
      ? undefined
      : new DevConsole({ key: consoleKey, host: () => hostsOf(address.host, port)[0] ?? '' })
  const seat = new Port({ took, console })
  const node = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000 }, (message, response) => {
    seat.take(message, response).catch(() => response.destroy()) // Its client has left.
  })
  await listen(node, address)
  const { port } = node.address() as AddressInfo // It listens on a port, not on a pipe.
  const folder = mkdtempSync(join(tmpdir(), 'perigee-dev-')) // For its owner alone.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { seat, console, behind: { folder, port }, close: () => node.close() }
}
