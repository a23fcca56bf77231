// Our servers as users start them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { startCluster } from '../storm/cluster.mjs'

export function bin(name) {
  return join(ROOT, 'dist', 'cli', 'bin', `${name}.js`)
}

/** The server with everything on, over HTTP. */
export async function startWorkbench() {
  const server = spawn(process.execPath, [bin('perigee'), 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(server.stdout, 'data')
  const [, url] = /listening at (\S+)/.exec(String(line))
  return { url, sse: new URL('/sse', url).href, stop: () => server.kill() }
}

/** The same on several nodes that share an engine, behind a balancer that gives each request to the next of them. */
export async function startWorkbenches(count, store) {
  const { url, stop } = await startCluster({
    count,
    argsOf: ({ port, host }) => [
      ...[bin('perigee'), 'serve', '--port', String(port)],
      ...['--store', store, '--allow-host', host],
    ],
    env: () => ({}),
  })
  return { url, sse: new URL('/sse', url).href, stop }
}
