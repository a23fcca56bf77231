// A server on stdio of the revision that it is given, with one resource that changes whenever its tool is called, of
// which it tells those who asked; the tool says which process it is. None is started while there is a file `closed`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [folder, revision] = process.argv.slice(2)
if (existsSync(join(folder, 'closed'))) process.exit(1)
const info = { name: 'telling', version: '1' }
const capabilities = { tools: {}, resources: { subscribe: true } }
const isNew = revision === '2026-07-28'
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const aboutOf = (id) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } })
const heard = new Map()

const ANSWERS = {
  'tools/list': () => ({ tools: [{ name: 'change', inputSchema: { type: 'object' } }] }),
  'resources/list': () => ({ resources: [{ uri: 'x://a', name: 'a' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'tools/call': () => {
    for (const [uri, about] of heard)
      say({ method: 'notifications/resources/updated', params: { uri, ...about } })
    return { content: [{ type: 'text', text: `${process.pid}` }] }
  },
}
const HANDSHAKE = {
  initialize: () => ({ protocolVersion: revision, capabilities, serverInfo: info }),
  'resources/subscribe': ({ uri }) => {
    heard.set(uri, {})
    return {}
  },
  'resources/unsubscribe': ({ uri }) => {
    heard.delete(uri)
    return {}
  },
}
const EVERY_REQUEST = {
  'server/discover': () => ({
    supportedVersions: [revision],
    capabilities,
    _meta: { 'io.modelcontextprotocol/serverInfo': info },
  }),
}
const answers = { ...ANSWERS, ...(isNew ? EVERY_REQUEST : HANDSHAKE) }

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (isNew && method === 'subscriptions/listen') {
    const { notifications } = params
    for (const uri of notifications.resourceSubscriptions ?? []) heard.set(uri, aboutOf(id))
    say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, ...aboutOf(id) },
    })
    return
  }
  const answer = answers[method]
  const result = answer && { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...answer(params) }
  say({ id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) })
})
