import { type Client, type ConnectOptions, connect } from '../../src/client/index.ts'
import { serveHttp } from '../../src/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import { SERVERS, type ServerName, SKILLS } from './server.ts'

export type Way = 'memory' | 'stdio' | 'post-only' | 'streamable' | 'sse-pair'

/** The ways in which a revision travels. */
export function waysOf({ id, opening }: Revision): readonly Way[] {
  if (opening === 'every-request') return ['memory', 'stdio', 'post-only']
  return id === '2024-11-05'
    ? ['memory', 'stdio', 'streamable', 'sse-pair']
    : ['memory', 'stdio', 'streamable']
}

export interface Opening {
  readonly way: Way
  readonly server: ServerName
  readonly revision: Revision
  /** The script that serves over stdio. */
  readonly script: string
}

const META = 'io.modelcontextprotocol/'

/** A client that can do all a revision lets it; `asked` gets the kinds of questions it has answered. */
export async function openClient(opening: Opening, asked: Set<string> = new Set()) {
  const options: ConnectOptions = {
    revision: opening.revision.id,
    capabilities: {
      elicitation: { form: {}, url: {} },
      extensions: { [`${META}tasks`]: {}, [`${META}skills`]: {} },
    },
    answers: answersNoting(asked),
  }
  return OPEN[opening.way](opening, options)
}

function answersNoting(asked: Set<string>): NonNullable<ConnectOptions['answers']> {
  return {
    'elicitation/create': ({ mode }) => {
      asked.add('elicitation/create')
      return { action: 'accept', ...(mode !== 'url' && { content: { name: 'Ann' } }) }
    },
    'sampling/createMessage': () => {
      asked.add('sampling/createMessage')
      return { role: 'assistant', content: { type: 'text', text: 'Roses' }, model: 'm' }
    },
    'roots/list': () => {
      asked.add('roots/list')
      return { roots: [{ uri: 'file:///a' }] }
    },
  }
}

type Open = (opening: Opening, options: ConnectOptions) => Promise<Client & AsyncDisposable>

const OPEN: Record<Way, Open> = {
  memory: ({ server }, options) => connect(SERVERS[server](SKILLS), options),
  stdio: ({ server, script }, options) =>
    connect({ command: process.execPath, args: [script, server, SKILLS] }, options),
  'post-only': openHttp('/mcp'),
  streamable: openHttp('/mcp'),
  'sse-pair': openHttp('/sse'),
}

/** The server ends with its client. */
function openHttp(path: string): Open {
  return async ({ server }, options) => {
    const http = await serveHttp(SERVERS[server](SKILLS))
    const client = await connect(new URL(path, http.url), options)
    const close = async () => {
      await client.close()
      await http.close(0)
    }
    return Object.assign(client, { [Symbol.asyncDispose]: close })
  }
}
