import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

export const INFO = { name: 'storm', version: '1.0.0' }
export const PORT = Number(process.env.STORM_PORT)
export const ROOMS = 10
export const roomUri = (room) => `room://${room}`

const node = process.env.STORM_NODE ?? 'node'
export const said = (what) => `${what} by ${node}`
export const WORD = z.object({ word: z.string() })

/** The tools of the storm that need nothing but a clock: `run(args, { progress, signal })`. */
export const TOOLS = [
  { name: 'echo', schema: z.object({ token: z.string() }), run: async ({ token }) => said(token) },
  {
    name: 'count',
    schema: z.object({ token: z.string(), steps: z.number(), ms: z.number() }),
    async run({ token, steps, ms }, { progress, signal }) {
      for (let step = 1; step <= steps; step++) {
        await sleep(ms, undefined, { signal })
        await progress(step, steps)
      }
      return said(token)
    },
  },
  {
    name: 'wait',
    schema: z.object({ token: z.string(), ms: z.number() }),
    async run({ token, ms }, { progress, signal }) {
      await progress(1, 1)
      await sleep(ms, undefined, { signal })
      return said(token)
    },
  },
]

export const textResult = (text) => ({ content: [{ type: 'text', text }] })
