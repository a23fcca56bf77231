import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { OnBehalf } from '../../src/client/index.ts'
import { createNodeHandler, defineTool, elicit, Needs, type TestClient } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen } from './gateway-of.ts'

endAfterEach()

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

/** What the upstream was told to stop. */
const stopped: string[] = []

const asking = defineServer({
  name: 'asking',
  version: '1',
  tools: [
    defineTool({
      name: 'greet',
      run: async (_none, call) => {
        const asked = call.ask({ name: elicit({ message: 'Who?', schema: NAME }) })
        if (asked instanceof Needs) return asked
        const who = asked.name.action === 'accept' ? asked.name.content.name : 'nobody'
        if (who === 'Mallory') throw new Error('Not you')
        if (who === 'Godot')
          await new Promise((resolve) => call.whenCancelled(() => resolve(stopped.push(who))))
        call.log('warning', `greeting ${who}`)
        call.progress(1, 2, 'half')
        const again = call.ask({ also: elicit({ message: `Who else, ${who}?`, schema: NAME }) })
        if (again instanceof Needs) return again
        const other = again.also.action === 'accept' ? again.also.content.name : 'nobody'
        return `Hello, ${who} and ${other}`
      },
    }),
  ],
})

/** Two gateways that share a file, before one upstream of 2025. */
async function twoNodes(): Promise<readonly [Server, Server]> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-held-'))
  const url = await listen(createNodeHandler(asking, { allowAnonymous: true }))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  const open = () => {
    const store = openSqliteStore({ path: join(folder, 'shared.db'), pollMs: 10 })
    ending.push(() => store.close())
    return gatewayTo(
      { asking: { url, revision: '2025-11-25' } },
      { store, secrets: ['a secret that both nodes know, and nobody else'] },
    )
  }
  return [open(), open()]
}

const heard: string[] = []

/** One round of a client of the newest revision, which may go to any node. */
function round(
  client: TestClient,
  more: JsonObject = {},
  options: Partial<OnBehalf> = {},
): Promise<JsonObject> {
  const params = { name: 'greet', arguments: {}, ...more }
  return client.exchange('tools/call', params, {
    self: {
      info: { name: 'test', version: '1' },
      capabilities: { elicitation: { form: {} } },
      logLevel: 'info',
    },
    onNotification: ({ params: { data } }) => heard.push(String(data)),
    onProgress: ({ message }) => heard.push(String(message)),
    onQuestion: () => Promise.reject(new Error('Nobody is asked by a request')),
    ...options,
  })
}

/** What answers all questions of a round. */
function answerAll({ inputRequests, requestState }: JsonObject, name: string): JsonObject {
  const keys = Object.keys(inputRequests as JsonObject)
  const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: { name } }]))
  return { inputResponses, requestState }
}

describe('a question of an older upstream that is answered on another node', () => {
  it('is answered there, and what the upstream says meanwhile is heard there', async () => {
    heard.length = 0
    const [a, b] = await Promise.all((await twoNodes()).map((node) => clientOf(node)))
    if (a === undefined || b === undefined) throw new Error('There are two')
    const first = await round(a)
    expect(first['resultType']).toBe('input_required')
    const second = await round(b, answerAll(first, 'Ann'))
    expect(JSON.stringify(second['inputRequests'])).toContain('Who else, Ann?')
    expect(heard).toEqual(['greeting Ann', 'half'])
    const third = await round(a, answerAll(second, 'Bob'))
    expect(third).toMatchObject({ content: [{ text: 'Hello, Ann and Bob' }] })
  })

  it('is refused there where the upstream refuses, and called off there', async () => {
    const [a, b] = await Promise.all((await twoNodes()).map((node) => clientOf(node)))
    if (a === undefined || b === undefined) throw new Error('There are two')
    expect(await round(b, answerAll(await round(a), 'Mallory'))).toMatchObject({
      isError: true,
      content: [{ text: 'Not you' }],
    })
    const stop = new AbortController()
    const waiting = round(b, answerAll(await round(a), 'Godot'), { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('Enough')), 300)
    await expect(waiting).rejects.toThrow('Enough')
    await vi.waitFor(() => expect(stopped).toEqual(['Godot']), { timeout: 20_000 })
  })

  it('says that the node has ended, where it has', { timeout: 60_000 }, async () => {
    const nodes = await twoNodes()
    const [a, b] = await Promise.all(nodes.map((node) => clientOf(node)))
    if (a === undefined || b === undefined) throw new Error('There are two')
    const first = await round(a)
    await nodes[0].close()
    await expect(round(b, answerAll(first, 'Ann'))).rejects.toThrow(
      'the node on which the call was open has ended',
    )
    await expect(round(b, answerAll(await round(b), 'Ann'))).resolves.toMatchObject({
      resultType: 'input_required',
    })
  })
})
