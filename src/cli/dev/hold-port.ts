import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundStderr } from '../../process/bound-stderr.ts'
import { listen } from '../../transports/http/node/listen.ts'
import { readNumber } from '../config.ts'
import { handOnLines } from '../workers/one-log.ts'
import type { DevBequest } from './apprentice.ts'
import { type DevelopmentOptions, develop, endOnce } from './development.ts'
import { Port } from './port.ts'

/** Holds the port for its clients, until a signal ends it. */
export async function holdPort(options: DevelopmentOptions): Promise<void> {
  boundStderr()
  process.stdout.on('error', () => {}) // Nobody has to read the welcome.
  const { settings } = options.config
  const port = readNumber('port', settings['port'], 65_535)
  // What children print, such as the welcome of the first.
  const seat = new Port((child) => handOnLines(child.output, process.stdout))
  const { behind, close } = await openPort(seat, { host: settings['host'] ?? '', port })
  const development = develop({ ...options, behind }, seat, () => void end(() => {}))
  const end = endOnce(development)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      close()
      void end((child) => child.kill('SIGTERM'))
    })
  await development.started
}

interface HeldPort {
  readonly behind: NonNullable<DevBequest['behind']>
  close(): void
}

/** A port that is held for whichever child serves. */
export async function openPort(
  seat: Port,
  address: { readonly host: string; readonly port: number },
): Promise<HeldPort> {
  const node = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000 }, (message, response) => {
    seat.take(message, response).catch(() => response.destroy()) // Its client has left.
  })
  await listen(node, address)
  const { port } = node.address() as AddressInfo // It listens on a port, not on a pipe.
  const folder = mkdtempSync(join(tmpdir(), 'perigee-dev-')) // For its owner alone.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { behind: { folder, port }, close: () => node.close() }
}
