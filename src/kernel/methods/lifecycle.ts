import type { Call } from '../call.ts'
import { checkObject, checkString } from '../check/params.ts'
import { Fault } from '../faults.ts'
import { fitFields } from '../fitting/fields.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { Principal } from '../link.ts'
import { readImplementation } from '../peer.ts'
import { findRevision, NEWEST_HANDSHAKE, versionsOpening } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Server } from '../server.ts'
import { capabilities } from './capabilities.ts'
import { listCache } from './listing.ts'

/** Opens a link by a handshake. */
export function initialize(call: Call): Result {
  const { link, server, params } = call
  if (link.peer !== undefined) throw new Fault('alreadyInitialized')
  const revision = negotiate(checkString(params, 'protocolVersion'), server.dialect.unknownVersion)
  const declared = checkObject(params, 'capabilities')
  const info = readImplementation(checkObject(params, 'clientInfo'))
  link.peer = { revision, capabilities: declared, info, logLevel: undefined }
  link.spoken = revision
  link.state = 'initializing'
  link.hold()
  server.observe({ kind: 'link-opened', link })
  return {
    protocolVersion: revision.id,
    capabilities: capabilities(server, revision),
    serverInfo: fitFields('implementation', server.info, revision),
    ...(server.settings.instructions !== undefined && { instructions: server.settings.instructions }),
  }
}

/** Says what the server is to a client that makes no handshake. */
export function discover(call: Call): Result {
  const { server, peer } = call
  return {
    supportedVersions: versionsOpening('every-request'),
    capabilities: capabilities(server, peer.revision),
    ...(server.settings.instructions !== undefined && { instructions: server.settings.instructions }),
    ...listCache(call),
  }
}

export function ping(): Result {
  return {}
}

/** Ends the server once this has been answered. */
export function exit({ server }: Call): Result {
  askToExit(server)
  return {}
}

export function askToExit(server: Server): void {
  queueMicrotask(() => {
    for (const end of [...server.exits]) end()
  })
}

export function mayExit(server: Server, principal: Principal | undefined): boolean {
  return server.dialect.exit === 'allowed' && principal?.anonymous !== true
}

function negotiate(version: string, unknown: 'negotiate' | 'refuse'): Revision {
  const revision = findRevision(version)
  if (revision?.opening === 'handshake') return revision
  if (unknown === 'negotiate') return NEWEST_HANDSHAKE
  throw new Fault('refusedVersion', `Unsupported protocol version: ${version}`, {
    supported: versionsOpening('handshake'),
    requested: version,
  })
}
