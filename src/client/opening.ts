import {
  cut,
  FAULTS,
  findRevision,
  type Implementation,
  isObject,
  type JsonObject,
  META,
  NEWEST,
  NEWEST_HANDSHAKE,
  REVISIONS,
  type Revision,
} from '../kernel/index.ts'
import type { ClientConnection } from './connection.ts'
import { ClientError, ErrorReply } from './errors.ts'

/** What a server says of itself when it is first asked. */
export interface ServerIntroduction {
  readonly revision: Revision
  readonly info: Implementation | undefined
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
}

/** How long a server may take to say that it knows the newest revision, before it is greeted as an older one is. */
const PROBE_MS = 5000

/** In this revision, or not at all. */
export async function openAs(
  revision: Revision,
  connection: ClientConnection,
  signal?: AbortSignal,
): Promise<ServerIntroduction> {
  if (revision.opening === 'every-request')
    return discover(revision, connection, { signal }).catch((error) => {
      throw error instanceof ErrorReply && !isAboutAccess(error) ? notSpoken(revision, error) : error
    })
  const opened = await shakeHands(revision, connection, signal).catch((error) => {
    throw isUnsupported(error) ? notSpoken(revision, error) : error
  })
  if (opened.revision === revision) return opened
  throw new ClientError('unsupported', `The server offers ${opened.revision.id}, and not ${revision.id}`)
}

/** Greets once more who has forgotten a session, and may have been replaced by somebody who opens none. */
export async function openAgain(connection: ClientConnection): Promise<void> {
  const { revision } = connection
  const result = await initialize(revision, connection).catch((error) => {
    const isOther = (error instanceof ErrorReply || isOlder(error)) && !isAboutAccess(error)
    throw isOther ? notSpoken(revision, error) : error
  })
  await agree(result, connection)
}

function notSpoken({ id }: Revision, cause: Error): ClientError {
  return new ClientError('unsupported', `The server does not speak ${id}, and says: ${cause.message}`, {
    cause,
  })
}

/** Asks in the way of the newest revision; undefined when the server does not know that way. */
export async function probe(connection: ClientConnection, timeoutMs: number, signal?: AbortSignal) {
  try {
    return await discover(NEWEST, connection, { signal, timeoutMs: Math.min(timeoutMs, PROBE_MS) })
  } catch (error) {
    signal?.throwIfAborted()
    if (isFinal(error)) throw error
    return undefined
  }
}

/** Whether it is what no other greeting would mend. */
export function isFinal(error: unknown): boolean {
  return isAboutAccess(error) || (error instanceof ClientError && ENDS.includes(error.reason))
}

const ENDS: readonly ClientError['reason'][] = ['unreachable', 'closed', 'too-much']

/** Whoever must say who they are first would not get further in another way. */
function isAboutAccess(error: unknown): boolean {
  const status = statusOf(error)
  return status === 401 || status === 403
}

/** Servers from before there was one address for everything refuse a POST in these ways. */
export function isOlder(error: unknown): boolean {
  return [400, 404, 405, 406, 415].includes(statusOf(error) ?? 0)
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ErrorReply ? error.status : (error as ClientError).details?.status
}

interface Discovering {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Whether the server has named this revision itself, when it refused one. */
  readonly isOffered?: boolean
}

async function discover(
  revision: Revision,
  connection: ClientConnection,
  options: Discovering,
): Promise<ServerIntroduction> {
  connection.speak(revision)
  try {
    const result = await connection.request('server/discover', {}, options)
    const chosen = chooseFrom(result['supportedVersions'])
    connection.speak(chosen)
    return readOpened(
      chosen,
      result,
      isObject(result['_meta']) ? result['_meta'][META.serverInfo] : undefined,
    )
  } catch (error) {
    const offered = offeredBy(error)
    if (offered?.opening !== 'every-request' || options.isOffered === true) throw error
    return discover(offered, connection, { ...options, isOffered: true })
  }
}

/** The newest of ours among those a server says it knows. */
function chooseFrom(versions: unknown): Revision {
  const offered = Array.isArray(versions) ? versions : []
  const chosen = REVISIONS.findLast(({ id, opening }) => opening === 'every-request' && offered.includes(id))
  if (chosen !== undefined) return chosen
  throw new ClientError(
    'unsupported',
    `The server knows ${cut(offered.join(', '), 100) || 'no revision'}, and none of ours`,
  )
}

function isUnsupported(error: unknown): error is ErrorReply {
  return error instanceof ErrorReply && error.code === FAULTS.unsupportedVersion.code
}

/** A server that refuses a revision says which it knows. */
function offeredBy(error: unknown): Revision | undefined {
  if (!isUnsupported(error)) return undefined
  const supported = isObject(error.data) ? error.data['supported'] : undefined
  return Array.isArray(supported) ? REVISIONS.findLast(({ id }) => supported.includes(id)) : undefined
}

/** Greets as the revisions up to 2025-11-25 do. */
export async function shakeHands(
  revision: Revision,
  connection: ClientConnection,
  signal?: AbortSignal,
): Promise<ServerIntroduction> {
  return agree(await initialize(revision, connection, signal), connection)
}

function initialize(
  revision: Revision,
  connection: ClientConnection,
  signal?: AbortSignal,
): Promise<JsonObject> {
  connection.speak(revision)
  const { info, capabilities } = connection.self
  const params = { protocolVersion: revision.id, capabilities, clientInfo: info }
  return connection.request('initialize', params, { signal })
}

async function agree(result: JsonObject, connection: ClientConnection): Promise<ServerIntroduction> {
  const version = String(result['protocolVersion'])
  const agreed = findRevision(version)
  if (agreed?.opening !== 'handshake')
    throw new ClientError(
      'unsupported',
      `The server speaks ${version.slice(0, 100)}, which is no revision of ours`,
    )
  connection.speak(agreed)
  await connection.opened()
  return readOpened(agreed, result, result['serverInfo'])
}

/** The newest that opens so; a server that knows newer ways only says so, and is then asked in one of those. */
export async function shakeHandsOrDiscover(
  connection: ClientConnection,
  signal?: AbortSignal,
): Promise<ServerIntroduction> {
  try {
    return await shakeHands(NEWEST_HANDSHAKE, connection, signal)
  } catch (error) {
    const offered = offeredBy(error)
    if (offered?.opening !== 'every-request') throw error
    return discover(offered, connection, { signal })
  }
}

function readOpened(revision: Revision, result: JsonObject, info: unknown): ServerIntroduction {
  const { capabilities, instructions } = result
  return {
    revision,
    info: isObject(info) ? (info as unknown as Implementation) : undefined, // What a server calls itself is for people to read.
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}
