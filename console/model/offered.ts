import type { ConsoleContext } from '../../src/console/events.ts'
import { FRONT_TOKENS, SHOWN_WHOLE } from '../../src/context/front-cost.ts'

/** A way in which a model can be shown a server's tools. */
export interface OfferWay {
  readonly offer: 'all' | 'search' | 'code'
  readonly what: string
  readonly tokens: number
  /** Whether it is how this server shows them, to hosts that do not search themselves. */
  readonly isNow: boolean
}

/** What each way of offering tools costs a model, before it has called any. */
export function offerWays({ offer, tools, tokens }: ConsoleContext): readonly OfferWay[] {
  const now = offer !== 'auto' ? offer : tokens > SHOWN_WHOLE ? 'search' : 'all'
  const ways = [
    { offer: 'all', what: tools === 1 ? 'the tool' : `all ${tools} tools`, tokens },
    { offer: 'search', what: 'search and call', tokens: FRONT_TOKENS.search },
    { offer: 'code', what: 'search and run', tokens: FRONT_TOKENS.code },
  ] as const
  return ways.map((way) => ({ ...way, isNow: way.offer === now }))
}
