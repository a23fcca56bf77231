// Servers that other people's libraries make: our client visits each, over what it has.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../dist/client/index.js'
import { startBridge } from '../clients/bridge.mjs'
import { install, ROOT } from '../outside.mjs'
import { PACKAGES } from './packages.mjs'

const EVERYTHING = '@modelcontextprotocol/server-everything'
const server = (file, ...args) => [join(ROOT, 'bench', 'servers', file), ...args]

/** Those of the benchmark, which stand in bench/servers, and the official one that has everything. */
async function strangers() {
  if (!existsSync(join(ROOT, 'bench', 'node_modules')))
    await promisify(execFile)('npm', ['ci', '--prefix', join(ROOT, 'bench'), '--ignore-scripts'])
  const everything = join(await install(EVERYTHING, PACKAGES[EVERYTHING]), 'dist', 'index.js')
  return [
    { name: 'SDK v1', over: 'stdio', args: server('sdk-v1.mjs', 'stdio') },
    { name: 'SDK v1', over: 'http', args: server('sdk-v1.mjs', 'http') },
    { name: 'SDK v2', over: 'stdio', args: server('sdk-v2.mjs', 'stdio') },
    { name: 'SDK v2', over: 'http', args: server('sdk-v2.mjs', 'http') },
    { name: 'SDK v2, POST only', over: 'http', args: server('sdk-v2.mjs', 'http', 'post-only') },
    { name: 'tmcp', over: 'stdio', args: server('tmcp.mjs', 'stdio') },
    { name: 'tmcp', over: 'http', args: server('tmcp.mjs', 'http') },
    { name: 'mcp-lite', over: 'http', args: server('mcp-lite.mjs') },
    { name: 'server-everything', over: 'stdio', args: [everything, 'stdio'] },
    { name: 'server-everything', over: 'http', args: [everything, 'streamableHttp'] },
    { name: 'server-everything', over: 'sse', args: [everything, 'sse'], path: '/sse' },
  ]
}

/** Gives, for each, the revision that was agreed on, or why it could not be visited. */
export async function visitStrangers() {
  const visited = []
  for (const { name, over, args, path = '/mcp' } of await strangers()) {
    const visit = over === 'stdio' ? visitBy({ command: process.execPath, args }) : visitHttp(args, path)
    visited.push({ name, over, ...(await visit.catch((error) => ({ failed: error.message }))) })
  }
  return visited
}

async function visitHttp(args, path) {
  const running = await startBridge('env', (port) => [`PORT=${port}`, process.execPath, ...args])
  try {
    return await visitBy(`http://127.0.0.1:${running.port}${path}`)
  } finally {
    await running.stop()
  }
}

async function visitBy(target) {
  const client = await connect(target, { timeoutMs: 15_000 })
  try {
    const names = (await client.tools()).map(({ name }) => name)
    if (!names.includes('echo')) throw new Error(`it lists ${names.join(', ')}, and no echo`)
    const { content } = await client.callTool('echo', { message: 'over there' })
    if (!content[0].text.includes('over there')) throw new Error(`it echoes ${content[0].text}`)
    const wrong = await client.callTool('echo', {}).then(
      ({ isError }) => isError === true,
      ({ code }) => typeof code === 'number',
    )
    if (!wrong) throw new Error('it takes a call without its arguments for a good one')
    return { revision: client.revision.id }
  } finally {
    await client.close()
  }
}
