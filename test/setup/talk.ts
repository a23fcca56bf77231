import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { connectMemory, type Heard, type MemoryEnd } from '../../src/transports/memory/index.ts'

/** A conversation in this process, with every message it heard. */
export interface Talk {
  readonly heard: Heard[]
  send: MemoryEnd['send']
  /** Asks and gives the whole reply, be it a result or an error. */
  ask(method: string, params?: JsonObject): Promise<Heard>
  /** The notices heard so far, of one method. */
  notices(method: string): Heard[]
  close(): void
}

/** Opens a conversation; with a version, by a handshake. */
export function talk(server: Server, version?: string, capabilities: JsonObject = {}): Talk {
  const heard: Heard[] = []
  const end = connectMemory(server, (message) => heard.push(message))
  let lastId = 0
  const opened: Talk = {
    heard,
    send: end.send,
    async ask(method, params) {
      const id = `q${++lastId}`
      end.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
      for (let round = 0; round < 200; round++) {
        const reply = heard.find((one) => one['id'] === id && one['method'] === undefined)
        if (reply !== undefined) return reply
        await new Promise(setImmediate)
      }
      throw new Error(`${method} was not answered`)
    },
    notices: (method) => heard.filter((one) => one['method'] === method && one['id'] === undefined),
    close: end.close,
  }
  if (version !== undefined) {
    const params = { protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } }
    end.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params })
    end.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    heard.length = 0
  }
  return opened
}

/** What a request of the newest revision says of its sender. */
export function introduction(capabilities: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  }
}
