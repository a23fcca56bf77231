import { answerJson } from './answers.ts'
import type { Exchange } from './exchange.ts'
import type { HttpSettings } from './settings.ts'
import type { HttpState } from './state.ts'

/** Whether somebody asks how it is: probes come by any name, and are answered however it is. */
export function isProbe({ path }: Pick<Exchange, 'path'>, { health, readiness }: HttpSettings): boolean {
  return path === health || path === readiness
}

export function answerProbe(state: HttpState, exchange: Exchange): void {
  if (exchange.path === state.settings.health) answerHealth(state, exchange)
  else answerReadiness(state, exchange)
}

/** Whether the process does what it should; a store that is away is no reason to start it again. */
function answerHealth({ closing }: HttpState, exchange: Exchange): void {
  if (closing) answerJson(exchange, 503, '{"status":"closing"}')
  else answerJson(exchange, 200, '{"status":"ok"}')
}

/** Whether clients should be sent here. */
function answerReadiness(state: HttpState, exchange: Exchange): void {
  const reason = reasonAgainst(state)
  const about = { node: state.node?.id, store: state.store.place }
  if (reason === undefined) answerJson(exchange, 200, JSON.stringify({ status: 'ready', ...about }))
  else answerJson(exchange, 503, JSON.stringify({ status: 'not ready', reason, ...about }))
}

function reasonAgainst({ started, closing, store, node }: HttpState): string | undefined {
  if (closing) return 'The server is closing'
  const trouble = store.trouble() ?? node?.trouble
  if (trouble !== undefined) return trouble
  return started ? undefined : 'The server is starting'
}
