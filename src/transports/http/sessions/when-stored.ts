import { refusal, refuse } from '../answers.ts'
import type { Exchange } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { storeFailed } from '../store-failed.ts'

/** Goes on when the store has done its part; when it cannot, the client is asked to come back. */
export function whenStored<Value>(
  { state, exchange }: { readonly state: HttpState; readonly exchange: Exchange },
  stored: Promise<Value>,
  go: (value: Value) => void,
): void {
  stored.then(go).catch((error: unknown) => {
    storeFailed(state, 'store')(error)
    refuse(exchange, AWAY)
  })
}

const AWAY = refusal(503, 'Service unavailable: what is kept of sessions cannot be had right now', {
  'retry-after': '2',
})
