import type { Engine } from './engine.d.mts'

/** Throws an Error that says why there can be no server here. */
export function startRedis(options?: { readonly tls?: boolean }): Promise<Engine>
