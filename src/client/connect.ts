import {
  type AuthorServer,
  checkServer,
  findRevision,
  isObject,
  REVISIONS,
  type Revision,
  type Server,
  settle,
} from '../kernel/index.ts'
import { Client } from './client.ts'
import type { ClientConnection } from './connection.ts'
import { type ClientError, ErrorReply } from './errors.ts'
import { LIMITS, type Limits } from './limits.ts'
import { openAs, probe, type ServerIntroduction, shakeHandsOrDiscover } from './opening.ts'
import { type ConnectOptions, DEFAULTS, type Settled } from './options.ts'
import { createParts } from './parts.ts'
import type { OpenWire } from './wire.ts'
import type { Command } from './wires/stdio.ts'

/** Where a server is: at an address, behind a command, or in this process. */
export type Target = string | URL | Command | AuthorServer

/** Connects to a server: finds out what it speaks, and greets it in that. */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  const settled = settle<Settled>('connect', DEFAULTS, options as Partial<Settled>)
  const limits = settle<Limits>('connect: limits', LIMITS, settled.limits)
  const revision = settled.revision === undefined ? undefined : findOwn(settled.revision)
  const wires = await findWires(target, settled, limits)
  const parts = createParts(settled, limits)
  try {
    const opened = await open(parts.connection, wires, { ...settled, revision })
    const client = new Client(parts, opened, limits)
    if (settled.logLevel !== undefined && 'logging' in opened.capabilities)
      await client.setLogLevel(settled.logLevel)
    return client
  } catch (error) {
    await parts.connection.close()
    throw error
  }
}

function findOwn(id: string): Revision {
  const revision = findRevision(id)
  if (revision !== undefined) return revision
  throw new TypeError(
    `connect: there is no revision ${id}. Expected one of ${REVISIONS.map((one) => one.id).join(', ')}`,
  )
}

/** The ways to a server, the likeliest first. */
interface Wires {
  readonly first: OpenWire
  /** For a server that is older than the first way. */
  readonly older?: OpenWire
}

/** What only some clients need is loaded when it is needed. */
async function findWires(target: Target, settled: Settled, limits: Limits): Promise<Wires> {
  if (typeof target === 'string' || target instanceof URL) {
    const url = checkUrl(target)
    const { httpWire } = await import('./wires/http.ts')
    const { ssePairWire } = await import('./wires/sse-pair.ts')
    const { fetch, timeoutMs } = settled
    const options = { headers: settled.headers ?? {}, fetch, timeoutMs, ...limits }
    return { first: httpWire(url, options), older: ssePairWire(url, options) }
  }
  if (isObject(target) && 'command' in target) {
    const { checkCommand, stdioWire } = await import('./wires/stdio.ts')
    return { first: stdioWire(checkCommand(target), limits.maxMessageBytes) }
  }
  checkTarget(target)
  const { memoryWire } = await import('./wires/memory.ts')
  await target.start()
  return { first: memoryWire(target) }
}

/** What is neither a server nor like one was meant to be something else. */
function checkTarget(target: unknown): asserts target is Server {
  if (!isObject(target) || 'name' in target || 'open' in target) return checkServer('connect', target)
  const given = Object.keys(target).slice(0, 5).join(', ') || 'nothing'
  throw new TypeError(
    `connect: expected an address, { command, args } or a server made by defineServer(), got an object with ${given} in it`,
  )
}

function checkUrl(target: string | URL): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new TypeError(
    `connect: expected an address such as https://mcp.example.com/mcp, got ${JSON.stringify(String(target))}. A command is { command, args }`,
  )
}

interface OpeningOptions {
  readonly revision: Revision | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

async function open(
  connection: ClientConnection,
  wires: Wires,
  { revision, timeoutMs, signal }: OpeningOptions,
): Promise<ServerIntroduction> {
  await connection.use(wires.first)
  if (revision?.opening === 'every-request') return openAs(revision, connection, signal)
  const probed = revision === undefined ? await probe(connection, timeoutMs, signal) : undefined
  if (probed !== undefined) return probed
  if (connection.isOver) await connection.use(wires.first) // Some end at the first word they do not know.
  const greet = () =>
    revision === undefined ? shakeHandsOrDiscover(connection, signal) : openAs(revision, connection, signal)
  try {
    return await greet()
  } catch (error) {
    if (wires.older === undefined || !isOlder(error)) throw error
    await connection.use(wires.older).catch(() => {
      throw error // What the first way said is what has to be mended.
    })
    return greet()
  }
}

/** Servers from before there was one address for everything refuse a POST in these ways. */
function isOlder(error: unknown): boolean {
  const status = error instanceof ErrorReply ? error.status : (error as ClientError).details?.status
  return status !== undefined && [400, 404, 405, 406, 415].includes(status)
}
