import type { Handler } from '../call.ts'
import type { Server } from '../server.ts'
import { hasSubscribable } from './capabilities.ts'
import { complete, completes } from './completion.ts'
import { discover, initialize, ping } from './lifecycle.ts'
import { setLevel } from './logging.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from './resources.ts'
import { listen } from './subscriptions.ts'
import { callTool, listTools } from './tools.ts'

export interface Method {
  readonly handle: Handler
  /** A method of something the server does not offer is a method it does not have. */
  readonly offered?: (server: Server) => boolean
}

const tools = (server: Server) => server.offers.tools
const resources = (server: Server) => server.offers.resources
const prompts = (server: Server) => server.offers.prompts

export const METHODS: { readonly [name: string]: Method } = {
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
}
