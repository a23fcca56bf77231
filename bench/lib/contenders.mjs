import { join } from 'node:path'
import { NEWEST, NEWEST_HANDSHAKE } from '../../dist/kernel/index.js'

const BENCH = join(import.meta.dirname, '..')
export const ROOT = join(BENCH, '..')

/** The two eras of the protocol: sessions that begin with a handshake, and requests that stand alone. */
export const ERAS = {
  handshake: { name: NEWEST_HANDSHAKE.id, revision: NEWEST_HANDSHAKE },
  'post-only': { name: NEWEST.id, revision: NEWEST },
}

const [BOTH, OLD, NONE] = [['handshake', 'post-only'], ['handshake'], []]
const server = (name) => join(BENCH, 'servers', `${name}.mjs`)
const limit = (name) => join(ROOT, 'dist', 'bench', `${name}.js`)

/** Everybody who is measured, the limit first; `stdio` and `http` say which eras they speak there. */
export const CONTENDERS = [
  { name: 'raw', stdio: BOTH, http: BOTH, files: { stdio: limit('raw-stdio'), http: limit('raw-http') } },
  { name: 'perigee', stdio: BOTH, http: BOTH, packages: ['perigee'], imports: ['../dist/index.js'] },
  {
    name: 'sdk-v1',
    stdio: OLD,
    http: OLD,
    packages: ['@modelcontextprotocol/sdk'],
    imports: ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/sdk/server/stdio.js'],
  },
  {
    name: 'sdk-v2',
    stdio: BOTH,
    http: BOTH,
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    imports: ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  },
  { name: 'fastmcp', stdio: OLD, http: OLD, packages: ['fastmcp'], imports: ['fastmcp'] },
  {
    name: 'tmcp',
    stdio: BOTH,
    http: BOTH,
    packages: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-stdio', '@tmcp/transport-http'],
    imports: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-stdio'],
  },
  { name: 'mcp-lite', stdio: NONE, http: OLD, packages: ['mcp-lite', 'zod'], imports: ['mcp-lite', 'zod'] },
]

/** One row of a table: a contender in an era, and how it is started. */
export function entriesOf(transport, only) {
  return CONTENDERS.filter(({ name }) => only === undefined || name === 'raw' || only.includes(name)).flatMap(
    ({ name, files, ...contender }) =>
      contender[transport].map((era) => ({
        name,
        era,
        revision: ERAS[era].revision,
        args: [files?.[transport] ?? server(name), transport, era],
      })),
  )
}
