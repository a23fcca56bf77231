import {
  isObject,
  type JsonObject,
  type Outgoing,
  type Principal,
  parse,
  print,
  type Server,
} from '../../kernel/index.ts'

/** What the other end hears, as parsed from the text that would be on the wire. */
export type Heard = JsonObject

export interface MemoryEnd {
  /** Sends a message, or any text in its place. */
  send(message: JsonObject | readonly JsonObject[] | string): void
  /** Ends the conversation. */
  close(): void
}

/** Joins a server and a listener in one process; every message still goes through text, as on a wire. */
export function connectMemory(
  server: Server,
  hear: (message: Heard) => void,
  principal?: Principal,
): MemoryEnd {
  const hearText = (text: string) => {
    const value: unknown = JSON.parse(text)
    for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) hear(one)
  }
  return connectText(server, hearText, principal)
}

/** The same for a listener that wants the text itself: the answer to a batch is one array there. */
export function connectText(server: Server, hear: (text: string) => void, principal?: Principal): MemoryEnd {
  const send = (message: Outgoing) => hear(print(message))
  const link = server.open({ outlet: { send }, ...(principal !== undefined && { principal }) })
  const deliver = (reply: Outgoing | undefined) => {
    if (reply !== undefined) send(reply)
  }
  const receive = (text: string) => void link.receive(parse(text, server.dialect, server.budgets), deliver)
  return {
    send(message) {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      const starting = server.start()
      if (starting === undefined) receive(text)
      else void starting.then(() => receive(text))
    },
    close: () => link.close(),
  }
}
