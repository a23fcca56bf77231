import { isGranted } from '../callers/audience.ts'
import type { Call, Handler } from '../calls/call.ts'
import type { Extension } from '../calls/extension.ts'
import { needExtension } from '../calls/extension.ts'
import type { Server } from '../calls/server.ts'
import type { Lists } from '../catalogue/catalogue.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import { hasTasks, TASKS } from '../tasks/offered.ts'
import type { Sight } from './capabilities.ts'
import { findRelayedMethod } from './relayed-method.ts'
import { cancelTask, getTask, updateTask } from './task-methods.ts'

/** A caller that has not said that it knows the extension is told to. */
function needing(id: string, handle: Handler): Handler {
  return (call) => {
    needExtension(call, id)
    return handle(call)
  }
}

const TASKS_EXTENSION: Extension = {
  id: TASKS,
  settings: {},
  handshake: false,
  methods: {
    'tasks/get': needing(TASKS, getTask),
    'tasks/update': needing(TASKS, updateTask),
    'tasks/cancel': needing(TASKS, cancelTask),
  },
}

/** Pages for hosts to show; there is nothing to agree on but that they are there. */
const APPS_EXTENSION: Extension = {
  id: 'io.modelcontextprotocol/ui',
  settings: {},
  handshake: true,
  methods: {},
}

/** The extensions there are: those the server was given, and what follows from its offers. */
function extensionsOf(
  given: readonly Extension[],
  seen: Lists & Pick<Server, 'hadTasks' | 'front'>,
): readonly Extension[] {
  return [...(hasPages(seen) ? [APPS_EXTENSION] : []), ...given, ...(hasTasks(seen) ? [TASKS_EXTENSION] : [])]
}

function hasPages({ resources, templates }: Lists): boolean {
  for (const { key } of resources) if (key.startsWith('ui://')) return true
  for (const { key } of templates) if (key.startsWith('ui://')) return true
  return false
}

export function findExtensionMethod(call: Call): Handler | undefined {
  const { method, peer, server } = call
  if (peer.revision.opening === 'handshake') return undefined
  for (const { methods } of extensionsOf(server.extensions, server))
    if (Object.hasOwn(methods, method)) return methods[method]
  return server.relaying.extensions.size === 0 ? undefined : findRelayedMethod(call)
}

/** The settings of the extensions by id, as capabilities list them; undefined where there are none. */
export function declaredExtensions(sight: Sight, revision: Revision): JsonObject | undefined {
  const given = sight.server.extensions.filter(({ scopes = [] }) => isGranted(scopes, sight.principal))
  const told = extensionsOf(given, sight).filter(
    (one) => one.handshake || revision.opening === 'every-request',
  )
  const own = told.map(({ id, settings }) => [id, settings] as const)
  const all = [...(revision.opening === 'every-request' ? relayedTo(sight) : []), ...own]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

function relayedTo({ server, principal }: Sight): readonly (readonly [id: string, settings: unknown])[] {
  return [...server.relaying.extensions]
    .filter(({ scopes }) => isGranted(scopes, principal))
    .flatMap(({ declared }) => Object.entries(declared))
}
