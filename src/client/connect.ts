import { type AuthorServer, checkServer, describe, isObject, type Server, settle } from '../kernel/index.ts'
import type { Client } from './client.ts'
import { connectBy, type Wires } from './connect-by.ts'
import { LIMITS, type Limits } from './limits.ts'
import { type ConnectOptions, DEFAULTS, type Settled } from './options.ts'
import { type Fetch, fetchBy, globalFetch } from './wires/fetching.ts'
import type { SocketTarget } from './wires/socket.ts'
import type { Command } from './wires/stdio.ts'

/** Where a server is: at an address, on a socket, behind a command, or in this process. */
export type Target = string | URL | SocketTarget | Command | AuthorServer

/**
 * Connects to a server: finds out what it speaks, and greets it in that.
 * @example
 * await using client = await connect({ command: 'npx', args: ['-y', 'some-server'] })
 * console.log(await client.callTool('add', { a: 2, b: 40 }))
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  const chosen = settle<Settled>('connect', DEFAULTS, options as Partial<Settled>)
  const most = settle<Limits>('connect: limits', LIMITS, chosen.limits)
  for (const [name, value] of Object.entries({ timeoutMs: chosen.timeoutMs, ...most })) {
    if (!(value >= 0))
      throw new TypeError(`connect: ${name}: expected a number from 0 on, got ${describe(value)}`)
  }
  return connectBy((settled, limits) => findWires(target, settled, limits), chosen, most)
}

/** What only some clients need is loaded when it is needed. */
async function findWires(target: Target, settled: Settled, limits: Limits): Promise<Wires> {
  const socket = findSocket(target)
  const { intake } = settled
  if (socket !== undefined) {
    const { checkSocket, socketWire } = await import('./wires/socket.ts')
    checkSocket(socket, 'connect')
    return { first: socketWire(socket.socket, { ...limits, intake }) }
  }
  if (typeof target === 'string' || target instanceof URL) {
    const url = checkUrl(target)
    const { httpWire } = await import('./wires/http.ts')
    const { ssePairWire } = await import('./wires/sse-pair.ts')
    const { timeoutMs } = settled
    const fetch = settled.fetch === undefined ? await findFetch() : fetchBy(settled.fetch)
    const options = { headers: settled.headers ?? {}, fetch, timeoutMs, ...limits, intake }
    return { first: httpWire(url, options), older: ssePairWire(url, options) }
  }
  if (isObject(target) && 'command' in target) {
    const { checkCommand, stdioWire } = await import('./wires/stdio.ts')
    return { first: stdioWire(checkCommand(target), { ...limits, intake }) }
  }
  checkTarget(target)
  const { memoryWire } = await import('./wires/memory.ts')
  await target.start()
  return { first: memoryWire(target) }
}

/** `unix:/run/notes.sock` is an address, too. */
function findSocket(target: Target): SocketTarget | undefined {
  if (typeof target === 'string') {
    const [, path] = /^unix:(?:\/\/)?(.+)$/.exec(target) ?? []
    return path === undefined ? undefined : { socket: path }
  }
  if (target instanceof URL)
    return target.protocol === 'unix:' ? { socket: decodeURIComponent(target.pathname) } : undefined
  return isObject(target) && 'socket' in target ? (target as unknown as SocketTarget) : undefined // Checked next.
}

/** Other runtimes that call themselves Node have a `fetch` that is quicker than what they have of Node's. */
async function findFetch(): Promise<Fetch> {
  const { process: ours, Deno, Bun, WebSocketPair } = globalThis as { readonly [name: string]: unknown }
  const isNode = ours !== undefined && (Deno ?? Bun ?? WebSocketPair) === undefined
  return isNode ? (await import('./wires/node/node-fetch.ts')).nodeFetch : globalFetch
}

/** What is neither a server nor like one was meant to be something else. */
function checkTarget(target: unknown): asserts target is Server {
  if (isObject(target) && ('name' in target || 'open' in target)) return checkServer('connect', target)
  const members = isObject(target) ? Object.keys(target).slice(0, 5).join(', ') || 'nothing' : undefined
  const given = members === undefined ? describe(target) : `an object with ${members} in it`
  throw new TypeError(
    `connect: expected an address, { command, args }, { socket } or a server made by defineServer(), got ${given}`,
  )
}

function checkUrl(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new TypeError(
    `connect: expected an address such as https://mcp.example.com/mcp, got ${JSON.stringify(String(target))}. A command is { command, args }`,
  )
}
