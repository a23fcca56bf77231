import { createFetchHandler, defineServer, defineTool } from '../../dist/index.js'
import { schemaTools } from './schema-tools.mjs'

/** Serves the fetch handler, as it is, in whichever runtime this is, and says at which port. */
const server = defineServer({
  name: 'sample',
  version: '1.0.0',
  tools: [
    defineTool({
      name: 'echo',
      input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run: ({ text }) => text,
    }),
    defineTool({
      name: 'count',
      run: async (_args, call) => {
        for (const step of [1, 2, 3]) {
          call.progress(step, 3)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        return 'three'
      },
    }),
    ...schemaTools,
  ],
})

const handler = createFetchHandler(server)
const listening = (port) => console.log(`listening on ${port}`)

if (globalThis.Bun !== undefined) {
  listening(globalThis.Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: handler }).port)
} else {
  globalThis.Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => listening(port) }, handler)
}
