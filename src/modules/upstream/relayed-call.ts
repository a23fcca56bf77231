import type { Call } from '../../kernel/index.ts'

const RELAYED = new WeakMap<object, string>()

/** Notes which upstream has been asked to answer a call. */
export function markRelayed(call: Call, upstream: string): void {
  RELAYED.set(call, upstream)
}

/** The upstream that was asked to answer a call; undefined where none was. */
export function upstreamOf(call: object): string | undefined {
  return RELAYED.get(call)
}
