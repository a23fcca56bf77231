import type { Id } from '../../../kernel/index.ts'
import { refusal, refuse } from '../answers.ts'
import type { Exchange } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { storeFailed } from '../store-failed.ts'

/** What waits for the store: an exchange, and the id of the request in it, where there is one. */
interface Waiting {
  readonly state: HttpState
  readonly exchange: Exchange
  readonly id?: Id | null
}

/** Goes on when the store has done its part; when it cannot, the client is asked to come back. */
export function whenStored<Value>(
  { state, exchange, id = null }: Waiting,
  stored: Promise<Value>,
  go: (value: Value) => void,
): void {
  stored.then(go).catch((error: unknown) => {
    storeFailed(state, 'store')(error)
    refuse(exchange, AWAY, id)
  })
}

const AWAY = refusal(503, 'Service unavailable: what is kept of sessions cannot be had right now', {
  'retry-after': '2',
})
