import { findRevision, REVISIONS, type Revision } from '../kernel/index.ts'
import { Client } from './client.ts'
import type { ClientConnection } from './connection.ts'
import { LIMITS, type Limits } from './limits.ts'
import { isFinal, isOlder, openAs, probe, type ServerIntroduction, shakeHandsOrDiscover } from './opening.ts'
import type { Settled } from './options.ts'
import { createParts } from './parts.ts'
import type { OpenWire } from './wire.ts'

/** The ways to a server, the likeliest first. */
export interface Wires {
  readonly first: OpenWire
  /** For a server that is older than the first way. */
  readonly older?: OpenWire
}

/** Finds the ways to a server, with what the client may take of time and room. */
export type FindWires = (settled: Settled, limits: Limits) => Wires | Promise<Wires>

/** Connects over the wires it is handed, which are all that a client needs of its surroundings; nothing is checked. */
export async function connectBy(
  findWires: FindWires,
  settled: Settled,
  limits: Limits = LIMITS,
): Promise<Client> {
  const revision = settled.revision === undefined ? undefined : findOwn(settled.revision)
  const isGreeted = settled.likely !== undefined && findOwn(settled.likely).opening === 'handshake'
  const wires = await findWires(settled, limits)
  const parts = createParts(settled, limits)
  try {
    const opened = await open(parts.connection, wires, { ...settled, revision, isGreeted })
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

interface OpeningOptions {
  readonly revision: Revision | undefined
  /** Whether it has been greeted by a handshake before. */
  readonly isGreeted: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

async function open(
  connection: ClientConnection,
  wires: Wires,
  options: OpeningOptions,
): Promise<ServerIntroduction> {
  const { revision, isGreeted, timeoutMs, signal } = options
  await connection.use(wires.first)
  if (revision?.opening === 'every-request') return openAs(revision, connection, signal)
  const isFree = revision === undefined
  const probed = isFree && !isGreeted ? await probe(connection, timeoutMs, signal) : undefined
  if (probed !== undefined) return probed
  if (connection.isOver) await connection.use(wires.first) // Some end at the first word they do not know.
  try {
    return await greet(connection, wires, options)
  } catch (error) {
    if (!isFree || !isGreeted || isFinal(error) || signal?.aborted === true) throw error
    await connection.use(wires.first)
    const other = await probe(connection, timeoutMs, signal).catch(() => undefined) // How it was greeted says more.
    if (other === undefined) throw error
    return other
  }
}

async function greet(
  connection: ClientConnection,
  wires: Wires,
  { revision, signal }: OpeningOptions,
): Promise<ServerIntroduction> {
  const shake = () =>
    revision === undefined ? shakeHandsOrDiscover(connection, signal) : openAs(revision, connection, signal)
  try {
    return await shake()
  } catch (error) {
    if (wires.older === undefined || !isOlder(error)) throw error
    await connection.use(wires.older).catch(() => {
      throw error // What the first way said is what has to be mended.
    })
    return shake()
  }
}
