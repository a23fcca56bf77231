import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { PERIGEE } from '../cli/run.ts'
import { child } from '../client/hostile.ts'

/** Refuses everything by a code, and repeats what it was asked. */
function refusing(code: number) {
  return child(`
    if (id === undefined) return
    if (method === 'tools/list') return reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] })
    if (method === 'resources/list') return reply({ resources: [] })
    if (method === 'resources/templates/list') return reply({ resourceTemplates: [] })
    const asked = params.uri ?? JSON.stringify(params.arguments)
    say({ jsonrpc: '2.0', id, error: { code: ${code}, message: 'cannot have ' + asked } })`)
}

/** What is answered through the gateway, and what its log says of that. */
async function logOf(
  code: number,
  ask: { readonly uri: string } | { readonly name: string; readonly arguments: object },
) {
  const { command, args } = refusing(code)
  const script = args.map((one) =>
    one.replace('capabilities: { tools: {} }', 'capabilities: { tools: {}, resources: {} }'),
  )
  let log = ''
  const client = await connect(
    {
      command: process.execPath,
      args: [PERIGEE, 'gateway', '--log-format', 'json', '--', command, ...script],
      stderr: (lines) => {
        log += lines
      },
    },
    { revision: '2025-06-18' },
  )
  const method = 'uri' in ask ? 'resources/read' : 'tools/call'
  const told = await client.request(method, ask).catch((error: unknown) => (error as Error).message)
  await client.close()
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { told, logged: lines.filter(({ event }) => event === 'completed').map(({ message }) => message) }
}

describe('the log of a gateway', { timeout: 60_000 }, () => {
  it.each([-32002, -32602, -32000])(
    'says of a resource that is not there what the caller is told, by %i',
    async (code) => {
      const { told, logged } = await logOf(code, { uri: 'test://x' })
      expect(told).toBe('cannot have test://x')
      expect(logged).toEqual(['cannot have test://x'])
    },
  )

  it('says so without what is asked of it', async () => {
    const { told, logged } = await logOf(-32602, { uri: 'test://x?who=hunter2' })
    expect(told).toBe('cannot have test://x?who=hunter2')
    expect(logged).toEqual(['cannot have test://x?…'])
  })

  it('says of a call the kind of its error, since the words may quote what it was called with', async () => {
    const { told, logged } = await logOf(-32602, { name: 'go', arguments: { who: 'hunter2' } })
    expect(told).toBe('cannot have {"who":"hunter2"}')
    expect(logged).toEqual(['Invalid params'])
  })
})
