import { defineServer, defineTool, openStore, serveHttp, serveStdio } from '../../dist/index.js'

const schema = (properties) => ({ type: 'object', properties, required: Object.keys(properties) })
const [text, number] = [{ type: 'string' }, { type: 'number' }]

const tools = [
  defineTool({
    name: 'echo',
    description: 'Says it again',
    input: schema({ message: text }),
    run: ({ message }) => message,
  }),
  defineTool({
    name: 'add',
    description: 'Adds two numbers',
    input: schema({ a: number, b: number }),
    run: ({ a, b }) => String(a + b),
  }),
  defineTool({
    name: 'notify',
    description: 'Sends log notices',
    input: schema({ count: number }),
    run: ({ count }, call) => {
      for (let sent = 0; sent < count; sent++) call.log('info', 'a notice')
      return 'sent'
    },
  }),
  defineTool({
    name: 'announce',
    description: 'Tells every session of a change',
    run: (_, { server }) => {
      server.tools.add({ name: 'passing', run: () => '' })
      server.tools.remove('passing')
      return 'told'
    },
  }),
  ...Array.from({ length: Number(process.env.BENCH_TOOLS ?? 0) }, (_, at) => ({
    name: `extra_${at}`,
    description: `Tool number ${at}, which is there to be listed`,
    input: schema({ path: text, limit: number }),
    run: () => '',
  })),
]

// The others list everything on one page.
const { BENCH_STORE } = process.env
const shared =
  BENCH_STORE === undefined ? {} : { store: openStore(BENCH_STORE), secrets: ['a secret of the benchmark'] }
const server = defineServer({ name: 'bench', version: '1.0.0', tools, pageSize: 2000, ...shared })

if (process.argv[2] === 'http')
  await serveHttp(server, { port: Number(process.env.PORT), maxSessions: 20_000 })
else serveStdio(server)
