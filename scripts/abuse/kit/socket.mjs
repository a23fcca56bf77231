import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const OPEN = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'caller', version: '1' } }

export const say = (socket, message) => socket.write(`${JSON.stringify(message)}\n`)

/** A connection on which a conversation has begun. */
export async function openSocket(path) {
  const socket = connect(path)
  socket.on('error', () => {}) // To be cut off is what some expect, and the others miss an answer.
  await once(socket, 'connect')
  say(socket, { jsonrpc: '2.0', id: 'open', method: 'initialize', params: OPEN })
  say(socket, { jsonrpc: '2.0', method: 'notifications/initialized' })
  return socket
}

/** A client that reads what it is told, over one connection. */
export async function createSocketClient(path) {
  const socket = await openSocket(path)
  const pending = new Map()
  let lastId = 0
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line)
    pending.get(message.id)?.({ status: message.result === undefined ? 500 : 200, text: line })
    pending.delete(message.id)
  })
  socket.on('close', () => {
    for (const answer of pending.values()) answer({ text: 'the connection was closed' })
  })
  return {
    tool(name, args) {
      const id = ++lastId
      const answer = new Promise((resolve) => pending.set(id, resolve))
      say(socket, { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
      return answer
    },
    close: () => socket.destroy(),
  }
}
