import { connect } from 'node:net'
import type { RedisAddress } from './redis-url.ts'

const PATIENCE_MS = 1000

/** Whether a server answers without TLS: one that waits for a line of text takes a handshake for the beginning of it, and says nothing. */
export function speaksPlainly({ host, port }: Pick<RedisAddress, 'host' | 'port'>): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (plain: boolean) => {
      socket.destroy()
      resolve(plain)
    }
    const socket = connect({ host, port, timeout: PATIENCE_MS }, () => socket.write('PING\r\n'))
    socket.once('data', (bytes) => settle(/^[+-]/.test(bytes.toString('latin1'))))
    for (const end of ['timeout', 'error', 'close']) socket.once(end, () => settle(false))
  })
}
