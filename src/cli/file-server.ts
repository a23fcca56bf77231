import type { Settings } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { loadServerFile, nameOfFile } from './server-file.ts'

/** A server in a file of somebody's own, to be served like one of ours; with settings that stand whatever it says. */
export function fileServer(file: string, chosen: Partial<Settings> = {}): ReadyServer {
  return {
    name: nameOfFile(file),
    summary: `the server in ${file}`,
    transport: 'stdio',
    logLevel: 'warning',
    settings: {},
    http: {},
    async create({ modules, budgets, unscoped, shown, nodes, named = nodes, sources, atStart, note }) {
      // What the file has closed stays closed, and what it says stands unless the operator says otherwise.
      const settings = {
        ...chosen,
        ...(unscoped === 'closed' && { unscoped }),
        ...Object.fromEntries(Object.entries(shown).filter(([name]) => isGiven(name, sources))),
      }
      const server = await loadServerFile(file, {
        modules,
        budgets,
        settings,
        nodes: named,
        otherwise: nodes,
        note,
      })
      atStart?.(() => server.platform.store.get('perigee:start'))
      return server
    },
  }
}

/** What nobody has given comes from its own name. */
function isGiven(name: string, sources: { readonly [name: string]: string }): boolean {
  return sources[name] !== undefined && sources[name] !== name
}
