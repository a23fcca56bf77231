import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * A TCP balancer without stickiness: each new connection goes to the next node that accepts. It knows which start of
 * which node a connection went to, so that whoever loses one can tell whether somebody died of it.
 */
export async function startBalancer(nodes) {
  const servedBy = new Map()
  const open = new Set()
  let turn = 0
  const server = createServer((client) => {
    client.setNoDelay(true)
    open.add(client)
    client.on('error', () => {}) // It is cut off at both ends in any case.
    client.on('close', () => open.delete(client))
    void reach(client)
  })

  async function reach(client) {
    const first = turn++
    for (let tries = 0; tries < nodes.length && !client.destroyed; tries++) {
      const node = nodes[(first + tries) % nodes.length]
      const life = node.life
      const upstream = await dial(node.port)
      if (upstream === undefined) continue
      servedBy.set(client.remotePort, life)
      return join(client, upstream)
    }
    client.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: server.address().port,
    /** The start of a node that this connection went to, by the client's port. */
    lifeBehind: (port) => servedBy.get(port),
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function dial(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
    socket.on('error', () => {}) // What happens later is seen by its closing.
  })
}

/** What ends at one end ends at the other; a reset is handed on as one. */
function join(client, upstream) {
  client.pipe(upstream)
  upstream.pipe(client)
  upstream.on('error', () => client.destroyed || client.resetAndDestroy())
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroySoon())
}
