import { isObject } from '../jsonrpc/message.ts'
import { describe } from './describe.ts'

/** Throws a TypeError unless it is a server that was made by defineServer; told by its methods, whoever made those. */
export function checkServer(caller: string, server: unknown): void {
  if (isObject(server) && typeof server['receive'] === 'function' && typeof server['open'] === 'function')
    return
  const hint = isObject(server) && 'name' in server ? `: write ${caller}(defineServer({ … }))` : ''
  throw new TypeError(`${caller}: expected a server made by defineServer(), got ${describe(server)}${hint}`)
}

/** Under this name a command that loads a file to serve it says which, to whatever copy of this package the file uses. */
export const LOADING = Symbol.for('perigee.loading')

/** The same for what takes the process for itself: a file that is being loaded to be served must not do that. */
export function checkServing(caller: string, server: unknown): void {
  const file = (globalThis as { readonly [LOADING]?: unknown })[LOADING]
  if (typeof file === 'string') {
    throw new Error(
      `it serves itself: it calls ${caller}() while it is loaded. End it with: export default server, or run it by itself: node ${file}`,
    )
  }
  checkServer(caller, server)
}
