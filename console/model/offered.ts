import type { ConsoleContext } from '../../src/console/events.ts'
import { CALL_TOOL, RUN_TOOL, SEARCH_TOOL, SHOWN_WHOLE } from '../../src/context/front-tools.ts'
import { estimateTokens } from './text.ts'

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
    { offer: 'search', what: 'search and call', tokens: listedTokens(SEARCH_TOOL, CALL_TOOL) },
    { offer: 'code', what: 'search and run', tokens: listedTokens(SEARCH_TOOL, RUN_TOOL) },
  ] as const
  return ways.map((way) => ({ ...way, isNow: way.offer === now }))
}

type FrontTool = typeof SEARCH_TOOL

/** As they are listed. */
function listedTokens(...tools: readonly FrontTool[]): number {
  return estimateTokens(
    tools.map(({ input, output, task, ...rest }) => ({
      ...rest,
      inputSchema: input,
      outputSchema: output,
      ...(task !== undefined && { execution: { taskSupport: task } }),
    })),
  )
}
