import type { Module } from '../authoring/define.ts'
import { defineServer } from '../authoring/define-server.ts'
import { VERSION } from '../kernel/index.ts'
import { type UpstreamSource, upstreams } from '../modules/upstream/index.ts'
import { checkNames } from '../modules/upstream/names.ts'
import { checkUpstream } from '../modules/upstream/options.ts'
import type { ReadyServer, ServerContext } from './ready-server.ts'

/** Finds what stands behind a gateway, by name. */
export type FindUpstreams = (context: ServerContext) => GatewaySource

export interface GatewaySource extends UpstreamSource {
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
    create: (context) => {
      const { modules, budgets, unscoped, shown, nodes } = context
      const source = find(context)
      // What is wrong is told before anything is served.
      const all = Object.entries(source.read())
      for (const [name, options] of all) checkUpstream(name, options)
      checkNames(all.map(([name, options]) => ({ name, options })))
      return defineServer({
        name: 'gateway',
        version: VERSION,
        title: 'Gateway',
        budgets,
        unscoped,
        ...shown,
        ...nodes,
        modules: [...modules, ...source.modules, upstreams('upstreams', source)],
      })
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
