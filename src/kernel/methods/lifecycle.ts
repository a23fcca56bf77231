import { checkBudget, sizeOf } from '../budgets/check.ts'
import { isGranted } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Call } from '../calls/call.ts'
import type { Link } from '../calls/link.ts'
import { readImplementation } from '../calls/peer.ts'
import { absentFor } from '../calls/relaying.ts'
import type { Server } from '../calls/server.ts'
import { present } from '../catalogue/definition.ts'
import { checkObject, checkOptionalObject, checkOptionalString, checkString } from '../check/params.ts'
import type { Dialect } from '../dialect.ts'
import { Fault } from '../faults.ts'
import { fitFields } from '../fitting/fields.ts'
import type { Result } from '../jsonrpc/message.ts'
import { findRevision, NEWEST_HANDSHAKE, versionsOpening } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import { cut } from '../words/describe.ts'
import { capabilities } from './capabilities.ts'
import { listCache } from './listing.ts'

/** Opens a link by a handshake. */
export function initialize(call: Call): Result {
  const { link, server, params } = call
  if (link.peer !== undefined && server.dialect.reopening === 'refused') throw new Fault('alreadyInitialized')
  const revision = negotiate(checkString(params, 'protocolVersion'), server)
  const declared = CLIENT_CAPABILITIES[revision.declaring](params, 'capabilities')
  const clientInfo = checkObject(params, 'clientInfo')
  checkString(clientInfo, 'name', 'clientInfo.')
  checkOptionalString(clientInfo, 'version', 'clientInfo.')
  const size = sizeOf([declared, clientInfo])
  checkBudget(server, 'maxIntroductionBytes', size, 'capabilities and clientInfo')
  if (link.peer !== undefined) link.reopen()
  server.held.add(link, size)
  link.peer = { revision, capabilities: declared, info: readImplementation(clientInfo), logLevel: undefined }
  link.spoken = revision
  link.state = 'initializing'
  link.unsaved = true
  link.hold()
  server.observe({ kind: 'link-opened', link })
  server.greeted()
  return {
    protocolVersion: revision.id,
    capabilities: capabilities(server, revision, call.principal),
    serverInfo: fitFields('implementation', server.info, revision),
    ...present({ instructions: instructionsFor(server, call.principal) }),
  }
}

/** How it is meant to be used, and how those are for which it stands: each under its name where there are several. */
function instructionsFor(
  { settings, relaying }: Server,
  principal: Principal | undefined,
): string | undefined {
  const isAlone = relaying.upstreams.size === 1
  const theirs = [...relaying.upstreams].flatMap(({ name, introduced }) => {
    if (!introduced?.instructions || !isGranted(introduced.scopes, principal)) return []
    return [isAlone ? introduced.instructions : `${name}: ${introduced.instructions}`]
  })
  const missing = absentFor(relaying, principal).map(({ reason }) => `Missing here: ${reason}`)
  return theirs.length + missing.length === 0
    ? settings.instructions
    : [settings.instructions ?? [], theirs, missing].flat(2).join('\n\n')
}

/** A revision that has no objects for it expects none of its clients. */
const CLIENT_CAPABILITIES = { objects: checkObject, flags: checkOptionalObject }

/** Says what the server is to a client that makes no handshake. */
export function discover(call: Call): Result {
  const { server, peer } = call
  server.greeted()
  return {
    supportedVersions: versionsOpening('every-request'),
    capabilities: capabilities(server, peer.revision, call.principal),
    ...present({ instructions: instructionsFor(server, call.principal) }),
    ...listCache(call),
  }
}

export function ping(): Result {
  return {}
}

/** Ends the server once this has been answered. */
export function exit({ server, link }: Call): Result {
  askToExit(server, link)
  return {}
}

export function askToExit(server: Server, link: Link): void {
  link.leaving = true
  queueMicrotask(() => {
    for (const end of [...server.exits]) end()
  })
}

function negotiate(version: string, { dialect, revisions }: Server): Revision {
  const revision = revisions.find((one) => one.id === version) ?? findRevision(version)
  if (revision?.opening === 'handshake') return revision
  if (NEGOTIATES[dialect.unknownVersion](version))
    return isDate(version) ? NEWEST_HANDSHAKE : (revisions[0] ?? NEWEST_HANDSHAKE)
  throw new Fault('refusedVersion', `Unsupported protocol version: ${cut(version)}`, {
    supported: [...revisions.map((one) => one.id), ...versionsOpening('handshake')],
    requested: cut(version),
  })
}

const NEGOTIATES: Record<Dialect['unknownVersion'], (version: string) => boolean> = {
  negotiate: () => true,
  refuse: () => false,
  'negotiate-dates': isDate,
}

/** Revisions of MCP are named by their date; whoever asks for anything else does not ask for MCP. */
function isDate(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version)
}
