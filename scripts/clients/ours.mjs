// Our servers as users start them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../outside.mjs'

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
