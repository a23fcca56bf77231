import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createTestClient, defineServer, type ToolDefinition, telemetry } from '../../src/index.ts'
import { keep } from '../telemetry/telemetry-sample.ts'

/** The same promise, in the words of each library. */
const PROMISES: { readonly [library: string]: ToolDefinition['output'] } = {
  'JSON Schema': { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
  zod: z.object({ price: z.number() }),
  valibot: toStandardJsonSchema(v.object({ price: v.number() })),
  arktype: type({ price: 'number' }),
}

async function callBroken(output: ToolDefinition['output']) {
  const sink = keep()
  const server = defineServer({
    name: 's',
    version: '1',
    modules: [telemetry({ sinks: [sink] })],
    tools: [{ name: 'look', output, run: () => ({ price: 'secret' }) }],
  })
  const client = await createTestClient(server)
  const told = await client.callTool('look').catch((error: Error) => error)
  return { told, crashes: sink.records.filter(({ kind }) => kind === 'crashed') }
}

it.each(Object.entries(PROMISES))(
  'a tool that breaks its promise is told of in the log, without what it gave: %s',
  async (_library, output) => {
    const { told, crashes } = await callBroken(output)
    expect(told).toMatchObject({ code: -32603, message: expect.stringContaining('outputSchema: price: ') })
    expect(crashes).toMatchObject([{ kind: 'crashed', method: 'tools/call', tool: 'look' }])
    expect(JSON.stringify(crashes)).toContain(
      'Tool look gave a result that does not fit its outputSchema: price',
    )
    expect(JSON.stringify(crashes)).not.toContain('secret')
  },
)
