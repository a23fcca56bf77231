import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const INFO = { name: 'clients', version: '1.0.0' }

/** Loads a part of an installed package, as that package wants to be loaded by a module. */
function loaderOf(folder, builds) {
  const resolve = createRequire(join(folder, 'package.json')).resolve
  return async (part) => {
    const own = builds.map((build) => join(folder, build, part)).find((file) => existsSync(file))
    return import(pathToFileURL(own ?? resolve(part)).href)
  }
}

/** The official client of the first generation; the transports are what that version has of them. */
export async function openV1(folder, over, target) {
  const load = loaderOf(folder, ['dist/esm', 'dist'])
  const { Client } = await load('client/index.js')
  const client = new Client(INFO, { capabilities: {} })
  const transport = await TRANSPORTS[over](load, target)
  const heard = listenFor(transport)
  await client.connect(transport)
  return {
    revision: () => heard.revision,
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  }
}

const TRANSPORTS = {
  stdio: async (load, { command, args, env }) => {
    const { StdioClientTransport } = await load('client/stdio.js')
    return new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' })
  },
  http: async (load, { url }) => {
    const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js')
    return new StreamableHTTPClientTransport(new URL(url))
  },
  sse: async (load, { url }) => {
    const { SSEClientTransport } = await load('client/sse.js')
    return new SSEClientTransport(new URL(url))
  },
}

/** The old clients do not tell what was agreed on, so the answer to their handshake is looked at. */
function listenFor(transport) {
  const heard = { revision: undefined }
  const start = transport.start.bind(transport)
  transport.start = () => {
    const { onmessage } = transport
    transport.onmessage = (message, ...more) => {
      heard.revision ??= message.result?.protocolVersion
      return onmessage(message, ...more)
    }
    return start()
  }
  return heard
}

/** The official client of the second generation, in one of its eras. */
export async function openV2(folder, mode, over, target) {
  const load = loaderOf(folder, ['dist'])
  const { Client, StreamableHTTPClientTransport, SSEClientTransport } = await load('index.mjs')
  const { StdioClientTransport } = await load('stdio.mjs')
  const client = new Client(INFO, { capabilities: {}, versionNegotiation: { mode } })
  const open = {
    stdio: ({ command, args, env }) =>
      new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' }),
    http: ({ url }) => new StreamableHTTPClientTransport(new URL(url)),
    sse: ({ url }) => new SSEClientTransport(new URL(url)),
  }
  await client.connect(open[over](target))
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  }
}
