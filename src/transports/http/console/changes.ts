import type { ChangedTool, RelayedServer } from '../../../kernel/index.ts'
import type { Exchange } from '../exchange.ts'
import { answerDenial, type Denial, NOT_KEPT } from './access.ts'

interface ChangeFound {
  readonly upstream: RelayedServer
  readonly changed: ChangedTool
}

/** What has changed of a tool that is not served until that is approved. */
export function answerChange(upstreams: ReadonlySet<RelayedServer>, exchange: Exchange): void {
  const found = find(upstreams, exchange)
  if (found === undefined) return answerDenial(exchange, UNCHANGED)
  answer(exchange, found.changed)
}

/** Has it served, if it is still what was shown: whoever looks at it says so by its hash. */
export function approveChange(upstreams: ReadonlySet<RelayedServer>, exchange: Exchange): void {
  const found = find(upstreams, exchange)
  const hash = String(new URLSearchParams(exchange.query).get('hash'))
  if (found === undefined) return answerDenial(exchange, UNCHANGED)
  found.upstream.approve(found.changed.tool, hash).then(
    (approved) => (approved ? answer(exchange, { approved }) : answerDenial(exchange, CHANGED_AGAIN)),
    (error: Error) => answerDenial(exchange, { status: 500, error: error.message }),
  )
}

const UNCHANGED: Denial = {
  status: 404,
  error: 'There is no such tool that has changed since it was approved',
}

const CHANGED_AGAIN: Denial = {
  status: 409,
  error: 'It has become something else since this was shown: look at it again',
}

function find(upstreams: ReadonlySet<RelayedServer>, { query }: Exchange): ChangeFound | undefined {
  const asked = new URLSearchParams(query)
  const upstream = [...upstreams].find(({ name }) => name === asked.get('upstream'))
  const changed = upstream?.changed.find(({ tool }) => tool === asked.get('tool'))
  return upstream === undefined || changed === undefined ? undefined : { upstream, changed }
}

function answer(exchange: Exchange, value: object): void {
  exchange.answer(200, { ...NOT_KEPT, 'content-type': 'application/json' }, JSON.stringify(value))
}
