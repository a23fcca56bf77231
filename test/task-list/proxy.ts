import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** From here on nothing gets through, and nobody is told. */
  silence(): void
  /** From here on new connections get through; those that were silenced stay so. */
  speak(): void
  stop(): Promise<void>
}

/** Stands between a client and a server on this machine, as a network does that can fail. */
export async function startProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    sockets.add(near.on('error', () => {}))
    if (silent) return
    const far = connect(port, '127.0.0.1').on('error', () => {})
    sockets.add(far)
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // It listens on TCP.
    silence: () => {
      silent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    speak: () => {
      silent = false
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
