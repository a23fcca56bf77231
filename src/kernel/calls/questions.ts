import type { Id, JsonObject, Response, WireError } from '../jsonrpc/message.ts'
import type { Platform } from '../ports/platform.ts'
import type { Outlet } from './outlet.ts'

/** Nobody is left to answer what was asked. */
export class ClientLeft extends Error {
  constructor() {
    super('The client has left')
  }
}

export interface Asking {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly outlet: Outlet
  readonly timeoutMs: number
  /** Withdraws the question when nobody waits for its answer any more. */
  readonly signal: AbortSignal
}

/**
 * What a client answered instead of a result; whoever asked for somebody else hands it on as it is.
 * @example const codeOf = ({ refusal }: ClientRefusal) => refusal?.code
 */
export type ClientRefusal = Error & { readonly refusal?: WireError }

function refused(error: WireError | undefined): ClientRefusal {
  const message = error?.message ?? 'The client gave neither a result nor an error'
  return Object.assign(new Error(message), error === undefined ? {} : { refusal: error })
}

interface OpenQuestion {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly callOff: () => void
}

/** What we have asked a client by requests of our own, and it has not answered yet. */
export class OpenQuestions {
  readonly #after: Platform['after']
  readonly #waiting = new Map<Id, OpenQuestion>()
  readonly #prefix: string | undefined
  #last = 0

  /** Ids are numbers, or begin with a prefix by which answers find their way. */
  constructor(after: Platform['after'], prefix?: string) {
    this.#after = after
    this.#prefix = prefix
  }

  ask(asking: Asking): Promise<JsonObject> {
    const id = this.#nextId()
    return new Promise<JsonObject>((resolve, reject) => {
      const { method, params, signal } = asking
      const withdraw = () => this.#withdraw(id, asking, 'The call it was for is cancelled')
      signal.addEventListener('abort', withdraw)
      const stopClock = this.#after(asking.timeoutMs, () => {
        this.#withdraw(id, asking, `The client did not answer ${method} in time`)
      })
      const callOff = () => {
        signal.removeEventListener('abort', withdraw)
        stopClock()
      }
      this.#waiting.set(id, { resolve, reject, callOff })
      asking.outlet.send(
        params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params },
      )
    })
  }

  settle({ id, result, error }: Response): void {
    const question = this.#take(id)
    if (result !== undefined) question?.resolve(result)
    else question?.reject(refused(error))
  }

  /** Nobody will answer any of them. */
  abandon(): void {
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new ClientLeft())
  }

  #nextId(): Id {
    const number = ++this.#last
    return this.#prefix === undefined ? number : `${this.#prefix}.${number}`
  }

  #withdraw(id: Id, { outlet }: Asking, reason: string): void {
    outlet.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason },
    })
    this.#take(id)?.reject(new Error(reason))
  }

  #take(id: Id): OpenQuestion | undefined {
    const question = this.#waiting.get(id)
    this.#waiting.delete(id)
    question?.callOff()
    return question
  }
}
