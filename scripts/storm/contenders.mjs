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
        ...['--http', '--port', String(port), '--allow-host', `127.0.0.1:${balancer}`],
        ...[
          '--key',
          Object.entries(KEYS)
            .map((pair) => pair.join('='))
            .join(','),
          '--log-level',
          'error',
        ],
      ],
      env: {
        STORM_NODE: name,
        PERIGEE_SECRET: SECRET,
        ...(engine.url !== undefined && { STORM_STORE: engine.url }),
      },
    }),
  },
}
