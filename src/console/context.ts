import type { JsonObject, Server } from '../kernel/index.ts'
import type { ConsoleContext } from './events.ts'

/** Bytes of JSON that make a token, about. */
const BYTES_A_TOKEN = 3.6

/** What is listed anew is another object, so that nothing here grows old. */
const TOKENS = new WeakMap<JsonObject, number>()

/** What a server's tools would cost a model that is shown them all, and what its results may cost. */
export function contextOf({ tools, settings: { offer, fit, budget } }: Server): ConsoleContext {
  let tokens = 0
  for (const { listed } of tools) tokens += tokensOf(listed)
  return {
    offer,
    fit,
    tools: tools.size,
    tokens: Math.ceil(tokens),
    ...(budget !== undefined && { budget: budget.tokens }),
  }
}

function tokensOf(listed: JsonObject): number {
  const known = TOKENS.get(listed)
  if (known !== undefined) return known
  const tokens = new TextEncoder().encode(JSON.stringify(listed)).length / BYTES_A_TOKEN
  TOKENS.set(listed, tokens)
  return tokens
}
