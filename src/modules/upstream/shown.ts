import { resolve } from 'node:path'
import type { ChangedTool, RelayedState } from '../../kernel/index.ts'
import type { Health } from './health.ts'
import type { UpstreamOffers } from './offers.ts'
import type { UpstreamOptions } from './options.ts'
import type { Tally } from './tally.ts'

interface UpstreamParts {
  readonly name: string
  readonly options: UpstreamOptions
  readonly revision: string | undefined
  readonly health: Health
  readonly offers: UpstreamOffers
  readonly tally: Tally
  readonly changed: readonly ChangedTool[]
}

/** How an upstream is, for people. */
export function describeUpstream(parts: UpstreamParts): RelayedState {
  const { name, options, revision = null, health, offers, tally, changed } = parts
  const { sick, nextTry } = health.state
  return {
    name,
    transport: transportOf(options),
    address: addressOf(options),
    revision,
    state: sick ?? (offers.isKnown ? 'ready' : 'connecting'),
    ...offers.state,
    ...tally.read(),
    nextTry,
    changed: changed.map(({ tool, hash, seen }) => ({ tool, hash, seen })),
    pins: options.pins === undefined ? null : resolve(options.pins),
  }
}

function transportOf({ url, command }: UpstreamOptions): RelayedState['transport'] {
  if (url !== undefined) return 'http'
  return command === undefined ? 'memory' : 'stdio'
}

/** Where it is, for people: what is asked for in an address, who asks, and what a command is given may be secrets. */
export function addressOf({ url, command, server }: UpstreamOptions): string {
  if (url === undefined) return command ?? server?.info.name ?? ''
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
