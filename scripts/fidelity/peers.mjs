// Other programs that stand between clients over HTTP and a server on stdio; mcp-remote serves stdio alone, where the suite does not go.
import { join } from 'node:path'
import { startBridge } from '../clients/bridge.mjs'
import { install, newerNode } from '../outside.mjs'

const STREAMABLE = ['--outputTransport', 'streamableHttp', '--logLevel', 'none']

export const PEERS = {
  'mcp-proxy': {
    version: '6.7.19',
    file: ['dist', 'bin', 'mcp-proxy.mjs'],
    args: ({ port, command, client }) => [
      ...['--port', port, ...(client < '2026' ? [] : ['--upstreamProtocol', 'modern'])],
      ...['--', ...command],
    ],
  },
  supergateway: {
    version: '4.0.0',
    file: ['dist', 'index.js'],
    args: ({ port, command, client }) => [
      ...['--port', port, '--stdio', command.join(' '), ...STREAMABLE],
      ...(client < '2026' ? ['--stateful'] : []),
    ],
  },
}

/** A peer with the fixture behind it, as its own documentation has it for clients of this revision. */
export async function startPeer(name, { stdio, client }) {
  const { version, file, args } = PEERS[name]
  const script = join(await install(name, version), ...file)
  const command = [process.execPath, stdio]
  const { port, stop } = await startBridge(await newerNode(), (free) => [
    script,
    ...args({ port: String(free), command, client }),
  ])
  return { url: `http://localhost:${port}/mcp`, stop }
}
