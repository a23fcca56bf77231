import type { Call, Handler } from '../calls/call.ts'
import type { Server } from '../calls/server.ts'
import { mayExit } from '../dialect.ts'
import { hasTasks } from '../tasks/offered.ts'
import { completes, hasSubscribable } from './capabilities.ts'
import { complete } from './completion.ts'
import { findExtensionMethod } from './extensions.ts'
import { discover, exit, initialize, ping } from './lifecycle.ts'
import { setLevel } from './logging.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from './resources.ts'
import { listen } from './subscriptions.ts'
import { cancelTask, getTask, getTaskResult, listTasks } from './task-methods.ts'
import { callTool, listTools } from './tools.ts'

interface Method {
  readonly handle: Handler
  readonly offered?: (server: Server) => boolean
}

const tools = (server: Server) => server.offers.tools
const resources = (server: Server) => server.offers.resources
const prompts = (server: Server) => server.offers.prompts

const METHODS: { readonly [name: string]: Method } = {
  initialize: { handle: initialize },
  ping: { handle: ping },
  'server/discover': { handle: discover },
  'tools/list': { handle: listTools, offered: tools },
  'tools/call': { handle: callTool, offered: tools },
  'resources/list': { handle: listResources, offered: resources },
  'resources/templates/list': { handle: listTemplates, offered: resources },
  'resources/read': { handle: readResource, offered: resources },
  'resources/subscribe': { handle: subscribe, offered: hasSubscribable },
  'resources/unsubscribe': { handle: unsubscribe, offered: hasSubscribable },
  'prompts/list': { handle: listPrompts, offered: prompts },
  'prompts/get': { handle: getPrompt, offered: prompts },
  'completion/complete': { handle: complete, offered: completes },
  'logging/setLevel': { handle: setLevel },
  'subscriptions/listen': { handle: listen },
  'tasks/get': { handle: getTask, offered: hasTasks },
  'tasks/result': { handle: getTaskResult, offered: hasTasks },
  'tasks/list': { handle: listTasks, offered: hasTasks },
  'tasks/cancel': { handle: cancelTask, offered: hasTasks },
}

/** A method that the revision lacks, or that belongs to something the server does not offer, is simply absent. */
export function findMethod(call: Call): Handler | undefined {
  const { method: name, peer, server, principal } = call
  const { revision } = peer
  if (name === 'exit' && mayExit(server.dialect, principal)) return exit
  if (!revision.requests.includes(name)) return findExtensionMethod(call)
  const method = METHODS[name]
  return method?.offered?.(server) === false ? undefined : method?.handle
}
