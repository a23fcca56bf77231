import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { testTransport } from 'perigee/testing'
import { serveTcp } from './tcp.ts'

/** Everything that stdio and HTTP are asked as well, in every revision. */
const tests = testTransport({
  async open({ server, hear, ended }) {
    const listening = await serveTcp(server, 0)
    const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    createInterface(socket).on('line', hear)
    socket.on('close', ended)
    return {
      send: (text) => void socket.write(`${text}\n`),
      sendPieces: async (pieces) => {
        for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent))
        socket.write('\n')
      },
      leave: () => void socket.destroy(),
      close: () => {
        listening.close()
        socket.destroy()
      },
    }
  },
})
for (const { name, skip, run } of tests) test(name, { skip }, run)
