import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TransportEnd, TransportOpening } from '../../src/testing/index.ts'
import { serveSocket } from '../../src/transports/stdio/socket.ts'

/** A client of a server on a socket of its own. */
export async function openSocket({ server, hear, ended }: TransportOpening): Promise<TransportEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-socket-'))
  const listening = await serveSocket(server, { path: join(folder, 's'), finishMs: 100 })
  const socket = connect(listening.path)
  socket.on('error', () => {}) // It has been closed, and its end tells.
  createInterface({ input: socket }).on('line', hear).on('close', ended)
  const write = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  return {
    send: (text) => write(`${text}\n`),
    async sendPieces(pieces) {
      for (const piece of pieces) await write(piece)
      await write('\n')
    },
    leave: () => void socket.destroy(),
    async close() {
      await listening.close(0)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
