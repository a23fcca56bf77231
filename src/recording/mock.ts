import { mask } from '../console/mask.ts'
import { canonical } from '../contract/canonical.ts'
import { isObject, type JsonObject } from '../kernel/index.ts'
import { conversationsOf, eachOf, type RecordedMessage } from './format.ts'

/** A request of a recording, with what the server said until it had answered it, and the answer. */
interface RecordedExchange {
  readonly method: string
  readonly params: string
  readonly token: unknown
  readonly before: JsonObject[]
  answer?: JsonObject
  uses: number
}

interface Retelling {
  /** What the client of now calls the progress of its request. */
  readonly token: unknown
  readonly from: RecordedExchange
  readonly send: SendMessage
}

/** These are asked in every conversation, and by every client in its own words. */
const BY_METHOD = ['initialize', 'server/discover', 'ping', 'logging/setLevel']

type SendMessage = (message: JsonObject) => void

/** A server that says what a recording says. */
export class Mock {
  readonly #exchanges: readonly RecordedExchange[]
  readonly #asked = new Map<unknown, () => void>()
  #questions = 0

  constructor(recording: readonly RecordedMessage[]) {
    this.#exchanges = [...conversationsOf(recording).values()].flatMap(exchangesOf)
  }

  /** What is said to a message goes to `send`; resolves when all of it has. */
  async receive(message: JsonObject, send: SendMessage): Promise<void> {
    const { id, method } = message
    if (method === undefined) return this.#asked.get(id)?.()
    if (id === undefined) return
    const params = isObject(message['params']) ? message['params'] : {}
    const found = this.#find(String(method), params)
    if (found === undefined) return send({ jsonrpc: '2.0', id, error: this.#unknown(String(method)) })
    found.uses++
    for (const one of found.before) await this.#say(one, { token: tokenOf(params), from: found, send })
    if (found.answer !== undefined) send({ ...found.answer, id })
  }

  /** What was asked more than once is answered in turn, and the last answer stands. */
  #find(method: string, params: JsonObject): RecordedExchange | undefined {
    const known = this.#exchanges.filter((one) => one.method === method)
    const key = keyOf(mask(params) as JsonObject) // An object stays one, and the recording has no secrets either.
    const exact = known.filter((one) => one.params === key)
    const fitting = exact.length === 0 && BY_METHOD.includes(method) ? known : exact
    return fitting.find(({ uses }) => uses === 0) ?? fitting.at(-1)
  }

  #unknown(method: string): JsonObject {
    const known = this.#exchanges.filter((one) => one.method === method).map(({ params }) => params)
    const has =
      known.length === 0 ? `it has no ${method}` : `it has ${[...new Set(known)].join(', ').slice(0, 500)}`
    return { code: -32603, message: `The recording has no answer to this: ${has}` }
  }

  /** A question waits for its answer, whatever that is: the recording knows how it went on. */
  async #say(message: JsonObject, { token, from, send }: Retelling): Promise<void> {
    if (message['id'] === undefined) return send(withToken(message, from.token, token))
    const id = `mock-${++this.#questions}`
    const answered = new Promise<void>((resolve) => this.#asked.set(id, resolve))
    send({ ...message, id })
    await answered
    this.#asked.delete(id)
  }
}

function exchangesOf(messages: readonly RecordedMessage[]): readonly RecordedExchange[] {
  const all: RecordedExchange[] = []
  const open = new Map<unknown, RecordedExchange>()
  for (const { direction, message } of messages)
    for (const one of eachOf(message)) {
      if (direction === 'in') begin(one)
      else hear(one)
    }
  return all

  function begin({ id, method, params }: JsonObject): void {
    if (method === undefined || id === undefined) return
    const given = isObject(params) ? params : {}
    const exchange: RecordedExchange = {
      method: String(method),
      params: keyOf(given),
      token: tokenOf(given),
      before: [],
      uses: 0,
    }
    all.push(exchange)
    open.set(id, exchange)
  }

  function hear(message: JsonObject): void {
    const { id, method, params } = message
    if (method === undefined) {
      const exchange = open.get(id)
      if (exchange !== undefined) exchange.answer = message
      open.delete(id)
      return
    }
    const token = isObject(params) ? params['progressToken'] : undefined
    const own = [...open.values()]
    const exchange = own.find((one) => token !== undefined && one.token === token) ?? own.at(-1)
    exchange?.before.push(message)
  }
}

/** What is asked, without who asks and how it wants to hear of it. */
function keyOf({ _meta, ...params }: JsonObject): string {
  return canonical(params)
}

function tokenOf({ _meta }: JsonObject): unknown {
  return isObject(_meta) ? _meta['progressToken'] : undefined
}

function withToken(message: JsonObject, then: unknown, now: unknown): JsonObject {
  const { params } = message
  if (!isObject(params) || then === undefined || params['progressToken'] !== then) return message
  return { ...message, params: { ...params, progressToken: now } }
}
