import type { ReadyServer } from './ready-server.ts'

/** By name; a server that is not run is not loaded. */
export const SERVERS: { readonly [name: string]: () => Promise<ReadyServer> } = {
  workbench: async () => (await import('./workbench.ts')).workbench,
  ccmcp: async () => (await import('./ccmcp.ts')).ccmcp,
  bossman: async () => (await import('./bossman.ts')).bossman,
  'bb-mcp-server': async () => (await import('./bb-mcp-server.ts')).bbMcpServer,
  primer: async () => (await import('./primer/index.ts')).primer,
  moonphase: async () => (await import('./moonphase.ts')).moonphase,
}
