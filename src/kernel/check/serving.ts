import type { Server } from '../calls/server.ts'
import { isObject } from '../jsonrpc/message.ts'
import { findLoading } from '../loading.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'

/**
 * Throws a TypeError unless it is a server that was made by defineServer; told by its methods, whoever made those.
 * @example
 * export function servePort(server: unknown): Link {
 *   checkServer('servePort', server)
 *   return server.open({ outlet: NOWHERE })
 * }
 */
export function checkServer(caller: string, server: unknown): asserts server is Server {
  if (isObject(server) && typeof server['handle'] === 'function' && typeof server['open'] === 'function')
    return
  const made = /^\w+$/.test(caller) ? `${caller}(defineServer({ … }))` : `${caller} defineServer({ … })`
  const hint = isObject(server) && 'name' in server ? `: write ${made}` : ''
  throw new Mistake(`${caller}: expected a server made by defineServer(), got ${describe(server)}${hint}`)
}

/**
 * What takes the process for itself must not do so in a file that is being loaded to be served.
 * @example refuseLoading('servePort')
 */
export function refuseLoading(caller: string): void {
  const loading = findLoading()
  if (loading === undefined) return
  const { file, runner = 'node' } = loading
  throw new Error(
    `it serves itself, by ${caller}(). Let it end in: export default server, or run it by itself: ${runner} ${file}`,
  )
}
