// The client that the official suite tests where one signs in: a gateway, and somebody who types what it tells them to.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { connect } from '../../dist/client/index.js'
import { browse } from '../upstream/browse.mjs'

const {
  MCP_CONFORMANCE_SCENARIO: scenario = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
  MCP_CONFORMANCE_CONTEXT: context = '{}',
} = process.env
const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
/** The document of a client that the suite knows, for wherever such documents are read. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json'
/** How often somebody signs in who is told to do so again. */
const PATIENCE = 4
/** How long a gateway may take to find out that somebody has signed in, in ms. */
const TAKING_UP = 2500

const folder = mkdtempSync(join(tmpdir(), 'perigee-suite-'))
const file = join(folder, 'mcp.json')
const entry = { url: process.argv.at(-1), ...(revision !== undefined && { revision }), oauth: settings() }
writeFileSync(file, JSON.stringify({ mcpServers: { suite: entry } }))
const env = { PERIGEE_HOME: folder }
const gateway = { command: process.execPath, args: [PERIGEE, 'gateway', '--from', file], env }
const client = await connect(gateway)
try {
  const problem = await follow(client)
  if (problem !== undefined) throw new Error(problem)
} finally {
  await client.close()
  rmSync(folder, { recursive: true })
}

/** What a person would have written into their configuration, as far as they were told anything. */
function settings() {
  const { client_id: clientId = DOCUMENT, client_secret, private_key_pem } = JSON.parse(context)
  return {
    clientId,
    ...(client_secret !== undefined && { clientSecret: client_secret }),
    ...(private_key_pem !== undefined && { privateKey: private_key_pem }),
    ...(/client-credentials/.test(scenario) && { grant: 'client_credentials' }),
  }
}

/** Uses everything that there is, and signs in whenever that is what would help; gives what is wrong in the end. */
async function follow(client) {
  let problem = await use(client)
  for (let times = 0; times < PATIENCE && commandIn(problem) !== undefined; times++) {
    await type(commandIn(problem))
    problem = await changed(client, problem)
  }
  return problem
}

/** What is wrong once the gateway has taken up that somebody has signed in; the same may be said in other words until then. */
async function changed(client, problem) {
  const until = Date.now() + TAKING_UP
  const before = String(commandIn(problem))
  let now = await use(client)
  for (; String(commandIn(now)) === before && Date.now() < until; now = await use(client)) await pass(100)
  return now
}

/** Lists the tools, and calls each of them; gives the first thing that is wrong. */
async function use(client) {
  const { tools, _meta = {} } = await client.request('tools/list')
  if (_meta['perigee/awaited'] > 0) return pass(100).then(() => use(client))
  const [missing] = Object.values(_meta['perigee/missing'] ?? {})
  if (missing !== undefined) return missing
  for (const { name } of tools) {
    const { isError, content } = await client.callTool(name)
    if (isError) return content[0].text
  }
  return undefined
}

/** What somebody is told to type, as the words of a command line. */
function commandIn(problem = '') {
  const [, line] = /\bperigee (gateway login [\w-]+(?: --scope "[^"]*")?)/.exec(problem) ?? []
  return line?.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', ''))
}

async function type(words) {
  const running = spawn(process.execPath, [PERIGEE, ...words, '--from', file, '--no-browser'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  running.stderr.on('data', (chunk) => {
    const before = said
    said += chunk
    const [, address] = /open:\n\n {2}(\S+)\n/.exec(said) ?? []
    if (address !== undefined && !/open:\n\n {2}\S+\n/.test(before))
      browse(address).catch(() => running.kill())
  })
  const [code] = await once(running, 'close')
  console.error(said)
  if (code !== 0) throw new Error(`perigee ${words.join(' ')} ended with ${code}`)
}
