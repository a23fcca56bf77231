// What the suite is put before: the fixture itself, and a gateway or a bridge with the fixture behind it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBridge } from '../clients/bridge.mjs'
import { bin } from '../clients/ours.mjs'

/** The fixture over HTTP: sessions, requests that stand alone and the pair of 2024, each for those who speak so. */
export async function startFixture(script) {
  const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(server, 'exit')
  const [line] = await Promise.race([
    once(server.stdout, 'data'),
    ended.then(([code]) => {
      throw new Error(`the fixture ended with ${code} before it listened`)
    }),
  ])
  const url = String(line).trim()
  return {
    url,
    stop: async () => {
      server.kill()
      await ended
    },
  }
}

/** `perigee gateway` with one upstream, which is spoken to in one revision. */
export async function startGateway({ entry, folder, name }) {
  const from = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
  writeFileSync(from, JSON.stringify({ mcpServers: { fixture: entry } }))
  const args = [bin('perigee'), 'gateway', '--from', from, '--pins', 'off', '--http', '--log-level', 'off']
  const { port, stop } = await startBridge(process.execPath, (free) => [...args, '--port', String(free)])
  return { url: `http://127.0.0.1:${port}/mcp`, stop }
}
