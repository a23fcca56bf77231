import { z } from 'zod'

/** The tools of the benchmark for servers that take zod schemas; `say` sends one log notice. */
export const TOOLS = [
  {
    name: 'echo',
    description: 'Says it again',
    schema: z.object({ message: z.string() }),
    run: ({ message }) => message,
  },
  {
    name: 'add',
    description: 'Adds two numbers',
    schema: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => String(a + b),
  },
  {
    name: 'notify',
    description: 'Sends log notices',
    schema: z.object({ count: z.number() }),
    run: async ({ count }, say) => {
      for (let sent = 0; sent < count; sent++) await say('a notice')
      return 'sent'
    },
  },
  ...Array.from({ length: Number(process.env.BENCH_TOOLS ?? 0) }, (_, number) => ({
    name: `extra_${number}`,
    description: `Tool number ${number}, which is there to be listed`,
    schema: z.object({ path: z.string(), limit: z.number() }),
    run: () => '',
  })),
]

export const INFO = { name: 'bench', version: '1.0.0' }
export const PORT = Number(process.env.PORT ?? 0)
/** Whether answers over HTTP are to be JSON where the server can choose, so that each is at its fastest. */
export const JSON_ANSWERS = process.env.BENCH_ANSWERS !== 'events'

export const textResult = (text) => ({ content: [{ type: 'text', text }] })
