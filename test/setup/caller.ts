import {
  type JsonObject,
  type Outgoing,
  type Principal,
  parse,
  print,
  type Server,
} from '../../src/kernel/index.ts'
import { receive } from './receive.ts'

export interface Answer {
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject }
}

/** A conversation of somebody in particular. */
export interface Caller {
  ask(method: string, params?: JsonObject): Promise<Answer>
  /** Calls a tool and gives its text, after `error: ` if it failed. */
  say(tool: string, args?: JsonObject): Promise<string>
  /** The names in a list. */
  list(method: string, list: string): Promise<readonly unknown[]>
  /** How often a notice has been heard. */
  heard(method: string): number
  notify(method: string): void
}

/** Opens a conversation by a handshake, as the transport would that knows who is calling. */
export function openAs(server: Server, principal?: Principal, revision = '2025-11-25'): Caller {
  const notices: string[] = []
  const outlet = { send: (message: Outgoing) => void notices.push(print(message)) }
  const link = server.open({ outlet, ...(principal !== undefined && { principal }) })
  let lastId = 0
  const send = (message: JsonObject) => receive(link, parse(JSON.stringify(message)))
  const ask = async (method: string, params: JsonObject = {}) =>
    (await send({ jsonrpc: '2.0', id: ++lastId, method, params })) as unknown as Answer
  const introduced = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  void send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: introduced })
  void send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  link.release()
  return {
    ask,
    async say(tool, args = {}) {
      const { result, error } = await ask('tools/call', { name: tool, arguments: args })
      if (error !== undefined) return `error: ${error.message}`
      const [block] = (result?.['content'] ?? []) as readonly { readonly text: string }[]
      return `${result?.['isError'] === true ? 'error: ' : ''}${block?.text}`
    },
    async list(method, list) {
      const { result } = await ask(method)
      return ((result?.[list] ?? []) as readonly JsonObject[]).map((one) => one['name'])
    },
    heard: (method) => notices.filter((notice) => JSON.parse(notice).method === method).length,
    notify: (method) => void send({ jsonrpc: '2.0', method }),
  }
}
