import type { Principal } from '../callers/principal.ts'
import type { Implementation } from '../definitions/implementation.ts'
import { type Dialect, mayExit } from '../dialect.ts'
import { Fault, methodNotFound } from '../faults.ts'
import { isObject, type JsonObject, type Request } from '../jsonrpc/message.ts'
import { isLogLevel, LOG_LEVELS, type LogLevel } from '../log-level.ts'
import { META } from '../meta.ts'
import { findRevision, isKnownMethod, NEWEST_HANDSHAKE, versionsOpening } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import { cut, describe } from '../words/describe.ts'

/** Who sent a message, and in which revision it is spoken. */
export interface Peer {
  readonly revision: Revision
  readonly capabilities: JsonObject
  readonly info: Implementation | undefined
  /** Set by a request itself; a handshake client's level is kept by its link. */
  readonly logLevel: LogLevel | undefined
}

/** As much of a conversation as its sender is found by. */
interface Conversed {
  readonly peer: Peer | undefined
  readonly state: 'created' | 'initializing' | 'operating' | 'closed'
  readonly principal: Principal | undefined
  /** Whether no handshake is known to it. */
  readonly stateless: boolean
}

/** The sender of a request: said by its `_meta`, by the link's handshake, or not at all, which is a Fault. */
export function findPeer(request: Request, link: Conversed, dialect: Dialect): Peer | Fault {
  const meta = request.params?.['_meta']
  if (link.stateless) return introduced(meta)
  if (meta !== undefined) {
    if (!isObject(meta)) return invalidMeta(`_meta: expected an object, got ${describe(meta)}`)
    const version = meta[META.protocolVersion]
    if (version !== undefined && !opensByHand(request, version)) {
      return introduced(meta)
    }
  }
  return link.peer ?? findStranger(request, link, dialect)
}

/** Reads the `_meta` that a revision without a handshake carries on every request. */
function introduced(meta: unknown = {}): Peer | Fault {
  if (!isObject(meta)) return invalidMeta(`_meta: expected an object, got ${describe(meta)}`)
  const version = meta[META.protocolVersion]
  if (typeof version !== 'string') {
    return invalidMeta(`_meta["${META.protocolVersion}"]: expected a string, got ${describe(version)}`)
  }
  const capabilities = meta[META.clientCapabilities]
  if (!isObject(capabilities)) {
    return invalidMeta(
      `_meta["${META.clientCapabilities}"]: expected an object, got ${describe(capabilities)}`,
    )
  }
  const logLevel = meta[META.logLevel]
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return invalidMeta(
      `_meta["${META.logLevel}"]: expected one of ${LOG_LEVELS.join(', ')}, got ${describe(logLevel)}`,
    )
  }
  const revision = findRevision(version)
  return revision?.opening === 'every-request'
    ? { revision, capabilities, info: readImplementation(meta[META.clientInfo]), logLevel }
    : unsupportedVersion(version)
}

/**
 * What a client is told whose revision is not spoken.
 * @example throw unsupportedVersion('1.0')
 */
export function unsupportedVersion(
  version: string,
  supported: readonly string[] = versionsOpening('every-request'),
): Fault {
  const requested = cut(version)
  return new Fault('unsupportedVersion', `Unsupported protocol version: ${requested}`, {
    supported,
    requested,
  })
}

/** A client is served whatever it says of itself, so a malformed introduction counts as none. */
export function readImplementation(value: unknown): Implementation | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string') return undefined
  if (typeof value['version'] !== 'string') return { ...value, name: value['name'], version: '' }
  return value as JsonObject & Implementation // Both of its members have been looked at.
}

/** An `initialize` that names a handshake revision in `_meta` is still a handshake. */
function opensByHand(request: Request, version: unknown): boolean {
  return (
    request.method === 'initialize' &&
    typeof version === 'string' &&
    findRevision(version)?.opening === 'handshake'
  )
}

/** A request that neither says who sends it nor follows a handshake. */
function findStranger(request: Request, link: Conversed, dialect: Dialect): Peer | Fault {
  const { method } = request
  if (method === 'initialize' || (method === 'ping' && dialect.ping === 'always')) return STRANGER
  if (method === 'exit' && mayExit(dialect, link.principal)) return STRANGER
  if (!isKnownMethod(method)) return methodNotFound(method)
  if (!NEWEST_HANDSHAKE.requests.includes(method)) {
    return invalidMeta(
      `${method} needs _meta["${META.protocolVersion}"] and _meta["${META.clientCapabilities}"]`,
    )
  }
  return new Fault(link.state === 'closed' ? 'invalidRequest' : 'notInitialized')
}

/** Somebody who may ask for little, and gets it in the words of the newest handshake. */
export const STRANGER: Peer = {
  revision: NEWEST_HANDSHAKE,
  capabilities: {},
  info: undefined,
  logLevel: undefined,
}

function invalidMeta(detail: string): Fault {
  return new Fault('invalidParams', `Invalid params: ${detail}`)
}
