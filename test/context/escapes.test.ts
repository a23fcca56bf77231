import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClient, defineServer, defineTool, type TestClient } from '../../src/index.ts'
import { textOf } from './code-server.ts'
import { ESCAPES } from './escapes.mjs'

/** What no script may come to know. */
const SECRET = 'a-key-that-only-the-server-has'

const called: string[] = []
const server = defineServer({
  name: 'guarded',
  version: '1',
  offer: 'code',
  reports: true,
  budgets: { maxScriptMs: 300, maxScriptMemoryBytes: 16_000_000, maxScriptThreads: 2 },
  tools: [
    defineTool({
      name: 'echo',
      input: { type: 'object' },
      run: (args, call) => {
        called.push(JSON.stringify(args).slice(0, 200))
        return { content: [{ type: 'text', text: `${call.method} ${Object.keys(args as object).length}` }] }
      },
    }),
    defineTool({
      name: 'forbidden',
      annotations: { destructiveHint: true },
      input: { type: 'object' },
      run: () => {
        called.push('FORBIDDEN')
        return SECRET
      },
    }),
  ],
})

let client: TestClient
beforeAll(async () => {
  process.env['PERIGEE_TEST_SECRET'] = SECRET
  client = await createTestClient(server, {
    answers: { 'elicitation/create': () => ({ action: 'decline' }) },
  })
})
afterAll(async () => {
  delete process.env['PERIGEE_TEST_SECRET']
  client.close()
  await server.close()
})

describe('a script that tries to get out', () => {
  it.each(Object.entries(ESCAPES))('stays where it is: %s', async (_name, code) => {
    const before = [Object.keys(Object.prototype).length, Object.keys(globalThis).length]
    const ran = textOf(await client.callTool('run', { code }))
    expect(ran).not.toContain(SECRET)
    expect(ran).not.toContain('ESCAPED')
    expect(ran).not.toMatch(/^SMUGGLED/)
    expect(called).not.toContain('FORBIDDEN')
    expect([Object.keys(Object.prototype).length, Object.keys(globalThis).length]).toEqual(before)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    // The next one finds nothing of it.
    expect(
      textOf(await client.callTool('run', { code: 'return [typeof leaked, [].x, await tools.echo({})]' })),
    ).toBe('["undefined",null,"tools/call 0"]')
  })
})
