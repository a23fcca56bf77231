// A node in a process of its own, which says its port and can be killed.
import { defineServer, defineTool, openStore, serveHttp } from '../../dist/index.js'

const wait = (name, idempotentHint) =>
  defineTool({
    name,
    description: 'Says that it has begun, and goes on for ever',
    annotations: { idempotentHint },
    run: async (_args, call) => {
      call.progress(1)
      await new Promise(() => {})
    },
  })

const server = defineServer({
  name: 'node',
  version: '1.0.0',
  store: openStore(process.argv[2]),
  secrets: ['a secret that all nodes know'],
  tools: [wait('again', true), wait('once', false)],
})
const { port } = await serveHttp(server, { port: 0, supervise: { graceMs: 200 } })
console.log(port)
