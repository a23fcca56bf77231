import type { RelayedState } from '../../kernel/index.ts'
import type { UpstreamOptions } from './options.ts'

export function transportOf({ url, command }: UpstreamOptions): RelayedState['transport'] {
  if (url !== undefined) return 'http'
  return command === undefined ? 'memory' : 'stdio'
}

/** Where it is, for people: what is asked for in an address, who asks, and what a command is given may be secrets. */
export function addressOf({ url, command, server }: UpstreamOptions): string {
  if (url === undefined) return command ?? server?.info.name ?? ''
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
