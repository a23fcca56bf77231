import { isObject, type JsonObject } from '../kernel/index.ts'

type RecordedDirection = 'in' | 'out'
type Ids = Map<unknown, number>

/** Gives the requests of one conversation numbers in their order, so that two recordings of the same are the same. */
export class Numbering {
  readonly #open: { readonly [direction in RecordedDirection]: Ids } = { in: new Map(), out: new Map() }
  readonly #last: { [direction in RecordedDirection]: number } = { in: 0, out: 0 }

  number(message: JsonObject | readonly JsonObject[], direction: RecordedDirection): unknown {
    if (Array.isArray(message)) return message.map((one: JsonObject) => this.#one(one, direction))
    return this.#one(message as JsonObject, direction) // It is one or the other.
  }

  #one(message: JsonObject, direction: RecordedDirection): JsonObject {
    const { id, method } = message
    if (method === undefined) return this.#answer(message, direction === 'in' ? 'out' : 'in')
    if (id !== undefined && id !== null) {
      const number = ++this.#last[direction]
      this.#open[direction].set(id, number)
      return { ...message, id: number }
    }
    return method === 'notifications/cancelled' ? this.#cancelled(message, direction) : message
  }

  /** With its answer a request is over. */
  #answer(message: JsonObject, asked: RecordedDirection): JsonObject {
    const number = this.#open[asked].get(message['id'])
    if (number === undefined) return message
    this.#open[asked].delete(message['id'])
    return { ...message, id: number }
  }

  #cancelled(message: JsonObject, direction: RecordedDirection): JsonObject {
    const params = isObject(message['params']) ? message['params'] : {}
    const number = this.#open[direction].get(params['requestId'])
    return number === undefined ? message : { ...message, params: { ...params, requestId: number } }
  }
}
