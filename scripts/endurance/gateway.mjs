// A gateway with short limits, so that what nobody comes back for is let go in seconds: over HTTP, or on stdio.
import { defineServer, serveHttp, serveStdio } from '../../dist/index.js'
import { upstream } from '../../dist/modules/upstream/index.js'

const [, , over, script, mark] = process.argv
const server = defineServer({
  name: 'gateway',
  version: '1',
  // Of a client that is killed the session ends two seconds later: with 8, rounds that go faster are refused.
  budgets: { maxUpstreamConnections: 32 },
  modules: [upstream('behind', { command: process.execPath, args: [script, mark] })],
})
if (over === 'stdio') serveStdio(server)
else {
  const { url } = await serveHttp(server, { sessionIdleMs: 2000, eventsTtlMs: 1000, keepAliveMs: 500 })
  console.log(`listening at ${url}`)
}
