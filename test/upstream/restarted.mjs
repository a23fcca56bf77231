// A server on stdio of the revision that it is given, whose tools are those that stand in a file when it starts; it
// writes down when it starts and what is called, and tells nobody of anything. Where there is a file `closing`, none is
// started any more after the first that has been listed.
import { appendFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [folder, revision] = process.argv.slice(2)
const [closing, closed] = ['closing', 'closed'].map((name) => join(folder, name))
if (existsSync(closed)) process.exit(1)
const tools = JSON.parse(readFileSync(join(folder, 'tools.json'), 'utf8'))
const note = (line) => appendFileSync(join(folder, 'log'), `${line}\n`)
const info = { name: 'restarted', version: '1' }
const capabilities = { tools: {} }
let isAsked = true

const ANSWERS = {
  initialize: ({ capabilities: theirs }) => {
    isAsked = 'elicitation' in theirs
    return { protocolVersion: revision, capabilities, serverInfo: info }
  },
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: [revision],
    capabilities,
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  }),
  // What a client must be able to be asked for is listed to those who can, as some servers have it.
  'tools/list': () => {
    if (existsSync(closing)) renameSync(closing, closed)
    return {
      resultType: 'complete',
      tools: Object.entries(tools)
        .filter(([name]) => isAsked || name !== 'ask')
        .map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } })),
      ttlMs: 0,
      cacheScope: 'private',
    }
  },
  'tools/call': ({ name }) => {
    note(`called ${name}: ${tools[name]}`)
    return { resultType: 'complete', content: [{ type: 'text', text: `${process.pid}` }] }
  },
}
const UNKNOWN = revision === '2026-07-28' ? 'initialize' : 'server/discover'

note('started')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = method === UNKNOWN ? undefined : ANSWERS[method]
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
