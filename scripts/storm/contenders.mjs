import { join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { KEYS } from './storm.mjs'

const SECRET = 'a secret that all nodes of the storm share'

/** Who stands in the storm: how a node of theirs is started, and what their clients can do. */
export const CONTENDERS = {
  perigee: {
    outage: true,
    command: ({ name, port, engine, balancer }) => ({
      args: [
        join(ROOT, 'dist', 'cli', 'bin', 'perigee.js'),
        'serve',
        join(ROOT, 'scripts', 'storm', 'server.mjs'),
        ...[
          '--http',
          '--port',
          String(port),
          '--allow-host',
          `127.0.0.1:${balancer}`,
          '--log-level',
          'error',
        ],
        ...[
          '--key',
          Object.entries(KEYS)
            .map((pair) => pair.join('='))
            .join(','),
        ],
        ...(engine.url === undefined ? [] : ['--store', engine.url]),
      ],
      env: { STORM_NODE: name, PERIGEE_SECRET: SECRET },
    }),
  },
  tmcp: {
    note: '@tmcp/session-manager-redis 0.3.0; rejections of its own that nobody handles are caught for it. Not tried: 2024-11-05, tasks, which it does not have, and an engine that is away. Its streams have no ids, so none can be resumed; an answer to a question is taken for that of whichever session has asked under the same id',
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    acts: ['echo', 'list', 'count', 'long count', 'cut', 'think', 'ask', 'cancel', 'touch'],
    silentCancel: true,
    command: peer('tmcp'),
  },
  'SDK v2': {
    note: '@modelcontextprotocol/server 2.4.0, sessions and events in memory as its documentation has them. Not tried: 2024-11-05, tasks, subscriptions, and an engine that is away',
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    acts: ['echo', 'list', 'count', 'long count', 'cut', 'think', 'ask', 'cancel'],
    rooms: false,
    silentCancel: true,
    command: peer('sdk-v2'),
  },
}

function peer(file) {
  return ({ name, port, engine }) => ({
    args: [join(ROOT, 'bench', 'storm', `${file}.mjs`)],
    env: { STORM_NODE: name, STORM_PORT: String(port), STORM_STORE: engine.url, PERIGEE_SECRET: SECRET },
  })
}
