// A server with short limits, so that minutes of idling are seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  defineResource,
  defineServer,
  defineTool,
  prometheus,
  serveHttp,
  telemetry,
} from '../../dist/index.js'
import { asks } from '../asks.mjs'

const anything = { type: 'object' }
const counted = prometheus()

const server = defineServer({
  name: 'soaked',
  version: '1.0.0',
  // Longer than a round: what waits for somebody who has gone must not wait for this.
  answerTimeoutMs: 600_000,
  budgets: { maxCalls: 60 },
  taskTtlMs: 2000,
  modules: [telemetry({ sinks: [counted] })],
  resources: [defineResource({ name: 'clock', uri: 'clock://now', read: () => String(Date.now()) })],
  tools: [
    defineTool({
      name: 'add',
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      run: ({ a, b }) => String(a + b),
    }),
    defineTool({
      name: 'slow',
      input: { type: 'object', properties: { ms: { type: 'number' } } },
      async run({ ms }, call) {
        for (let step = 1; step <= 5; step++) {
          await sleep(ms / 5, undefined, { signal: call.signal })
          call.progress(step, 5)
          call.log('info', `step ${step}`)
        }
        return 'done'
      },
    }),
    asks,
    defineTool({
      name: 'work',
      input: anything,
      task: 'optional',
      run: async (_, call) => sleep(200, 'worked', { signal: call.signal }),
    }),
    defineTool({
      name: 'change',
      input: anything,
      run: (_, call) => {
        const tool = { name: 'passing', run: () => 'passing' }
        if (!call.server.tools.has('passing')) call.server.tools.add(tool)
        else call.server.tools.remove('passing')
        call.server.updated('clock://now')
        return 'changed'
      },
    }),
  ],
})
counted.watch(server)

const { url } = await serveHttp(server, {
  sessionIdleMs: 2000,
  eventsTtlMs: 1000,
  keepAliveMs: 500,
  pages: { '/metrics': counted.page },
})
console.log(`listening at ${url}`)
