// A server with the tools an author might write, some of them badly.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  defineResourceTemplate,
  defineServer,
  defineTool,
  MemoryStore,
  serveHttp,
} from '../../../dist/index.js'
import { asks } from '../../asks.mjs'

const anything = { type: 'object' }

const server = defineServer({
  name: 'fixture',
  version: '1.0.0',
  // What is kept for an hour is kept for seconds here, so that one can see it go.
  taskTtlMs: 5000,
  store: new MemoryStore({ sweepMs: 1000 }),
  tools: [
    defineTool({
      name: 'add',
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      run: ({ a, b }) => String(a + b),
    }),
    defineTool({ name: 'large', input: anything, task: 'optional', run: async () => 'x'.repeat(1_000_000) }),
    defineTool({
      name: 'endless',
      input: anything,
      task: 'optional',
      run: (_, call) =>
        new Promise((resolve) => call.signal.addEventListener('abort', () => resolve('stopped'))),
    }),
    defineTool({
      name: 'deaf',
      input: anything,
      // Longer than it takes to find out what it keeps, and not for ever.
      run: async (args) => {
        await sleep(8000)
        return String(Object.keys(args).length)
      },
    }),
    defineTool({
      name: 'throws_later',
      input: anything,
      run: () => {
        setTimeout(() => {
          throw new Error('thrown in a timer')
        }, 1)
        void Promise.reject(new Error('rejected, and nobody looks'))
        return 'for now all is well'
      },
    }),
    defineTool({
      name: 'breaks_when_read',
      input: anything,
      run: async () => ({
        content: [],
        get _meta() {
          throw new Error('not to be read')
        },
      }),
    }),
    asks,
  ],
  templates: [
    defineResourceTemplate({ name: 'deep', uriTemplate: 'x://{+path*}/end', read: () => 'deep' }),
    defineResourceTemplate({ name: 'wide', uriTemplate: 'y://{a}{b}{c}{+d*}{e}/end', read: () => 'wide' }),
    defineResourceTemplate({ name: 'query', uriTemplate: 'z://a{?q*}', read: () => 'query' }),
  ],
})

const { url } = await serveHttp(server)
console.log(`listening at ${url}`)
