import type { Principal } from '../callers/principal.ts'
import type { ListName } from '../calls/listener.ts'
import type { Server } from '../calls/server.ts'
import type { Lists } from '../catalogue/catalogue.ts'
import { present } from '../catalogue/definition.ts'
import type { OfferedPrompt } from '../catalogue/prompt.ts'
import type { OfferedTemplate } from '../catalogue/resource.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import { hasTasks } from '../tasks/offered.ts'
import { declaredExtensions } from './extensions.ts'

/** A server as one caller sees it. */
export interface Sight extends Lists {
  readonly server: Server
  readonly principal: Principal | undefined
  readonly hadTasks: Server['hadTasks']
  readonly front: Server['front']
}

/** What a server can do for a caller, in the words a revision has for it. */
export function capabilities(
  server: Server,
  revision: Revision,
  principal: Principal | undefined,
): JsonObject {
  const all = DECLARING[revision.declaring](seenBy(principal, server), revision)
  return Object.fromEntries(Object.entries(all).filter(([name]) => revision.capabilities.includes(name)))
}

const DECLARING: Record<Revision['declaring'], (sight: Sight, revision: Revision) => JsonObject> = {
  objects: (sight, revision) => ({
    ...(isOffered('tools', sight) && { tools: { listChanged: true } }),
    ...(isOffered('resources', sight) && {
      resources: { subscribe: isAwaited(sight) || hasSubscribable(sight), listChanged: true },
    }),
    ...(isOffered('prompts', sight) && { prompts: { listChanged: true } }),
    ...((isAwaited(sight) || completes(sight)) && { completions: {} }),
    ...((isAwaited(sight) || hasTasks(sight)) && {
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    }),
    ...present({ extensions: declaredExtensions(sight, revision) }),
    logging: {},
  }),
  flags: (sight) => ({
    tools: isOffered('tools', sight),
    dynamicToolRegistration: false,
  }),
}

function seenBy(principal: Principal | undefined, server: Server): Sight {
  return {
    server,
    principal,
    hadTasks: server.hadTasks,
    front: server.front,
    tools: [...server.tools.visible(principal)],
    resources: [...server.resources.visible(principal)],
    templates: [...server.templates.visible(principal)],
    prompts: [...server.prompts.visible(principal)],
  }
}

/** A caller whose scopes open nothing of a list is not told that there is one. */
function isOffered(list: ListName, { server, principal, ...seen }: Sight): boolean {
  if (!server.offers[list]) return false
  if (principal?.scopes === undefined) return true
  const lists = list === 'resources' ? (['resources', 'templates'] as const) : ([list] as const)
  return lists.some((one) => hasAny(seen[one])) || lists.every((one) => server[one].size === 0)
}

/** A client that is greeted before it is known what others have cannot be told later. */
function isAwaited({ server }: Sight): boolean {
  for (const { introduced } of server.relaying.upstreams) if (introduced === undefined) return true
  return false
}

function hasAny(items: Iterable<unknown>): boolean {
  for (const _item of items) return true
  return false
}

export function hasSubscribable({ resources, templates }: Lists): boolean {
  for (const resource of resources) if (resource.subscribable) return true
  for (const template of templates) if (template.subscribable) return true
  return false
}

export function completes({ prompts, templates }: Lists): boolean {
  for (const prompt of prompts) if (hasSuggestions(prompt)) return true
  for (const template of templates) if (hasSuggestions(template)) return true
  return false
}

function hasSuggestions({ complete, suggest }: OfferedPrompt | OfferedTemplate): boolean {
  return suggest !== undefined || Object.keys(complete).length > 0
}
