import type { JsonObject } from '../jsonrpc/message.ts'
import { present } from '../offers/definition.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Server } from '../server.ts'
import { completes } from './completion.ts'
import { declaredExtensions } from './extensions.ts'
import { hasTasks } from './tasks.ts'

/** What a server can do, in the words a revision has for it. */
export function capabilities(server: Server, revision: Revision): JsonObject {
  const all = DECLARING[revision.declaring](server, revision)
  return Object.fromEntries(Object.entries(all).filter(([name]) => revision.capabilities.includes(name)))
}

const DECLARING: Record<Revision['declaring'], (server: Server, revision: Revision) => JsonObject> = {
  objects: (server, revision) => ({
    ...(server.offers.tools && { tools: { listChanged: true } }),
    ...(server.offers.resources && { resources: { subscribe: hasSubscribable(server), listChanged: true } }),
    ...(server.offers.prompts && { prompts: { listChanged: true } }),
    ...(completes(server) && { completions: {} }),
    ...(hasTasks(server) && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
    ...present({ extensions: declaredExtensions(server, revision) }),
    logging: {},
  }),
  flags: (server) => ({ tools: server.offers.tools, dynamicToolRegistration: server.settings.dynamicTools }),
}

export function hasSubscribable(server: Server): boolean {
  for (const resource of server.resources) if (resource.subscribable) return true
  for (const template of server.templates) if (template.subscribable) return true
  return false
}
