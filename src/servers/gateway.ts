import type { Module } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import { VERSION } from '../kernel/index.ts'
import { type CheckedSource, servedUpstreams } from '../modules/upstream/served.ts'
import type { ReadyServer, ServerContext } from './ready-server.ts'

/** Finds what stands behind a gateway, by name. */
export type FindUpstreams = (context: ServerContext) => GatewaySource

export interface GatewaySource extends CheckedSource {
  /** What is to be there beside them. */
  readonly modules: readonly Module[]
}

/** Many servers behind one, in every revision; `more` are settings by which they are found. */
export function gatewayServer(find: FindUpstreams, more: ReadyServer['settings'] = {}): ReadyServer {
  return {
    name: 'gateway',
    summary: 'all your MCP servers behind one, each in the revision it speaks, for clients of any',
    transport: 'stdio',
    logLevel: 'warning',
    settings: { ...SETTINGS, ...more },
    http: {},
    create: async (context) => {
      const { settings, modules, budgets, unscoped, shown, nodes } = context
      const strict = settings['strict'] !== undefined
      const source = find(context)
      source.read([]) // What is wrong is told before anything is served.
      const server = defineServer({
        name: 'gateway',
        version: VERSION,
        title: 'Gateway',
        budgets,
        unscoped,
        ...shown,
        ...nodes,
        modules: [...modules, ...source.modules, servedUpstreams('upstreams', { ...source, strict })],
      })
      if (strict) await server.start() // Whether it does is known before anybody is served.
      return server
    },
  }
}

const SETTINGS: ReadyServer['settings'] = {
  from: {
    kind: 'many',
    placeholder: 'FILE',
    description:
      'a file with mcpServers or servers in it, as hosts have them; may be given again (./.mcp.json unless said)',
  },
  pins: {
    placeholder: 'FILE',
    description:
      'where tools are remembered as they were approved, so that changed ones are not served, or off (beside the file that is read, unless said)',
  },
  strict: {
    kind: 'switch',
    description:
      'does not start where tools that servers list within two seconds have one name, or one of more than 60 characters (they are left out, unless said)',
  },
  audit: {
    placeholder: 'FILE',
    description:
      'one line a call is written there, as JSON: who, which upstream, which tool, how it came out, how long it took, how many bytes',
  },
  'audit-arguments': {
    kind: 'switch',
    description: 'has those lines hold the arguments as well, without what is named like a secret',
  },
}
