import { describe, expect, it } from 'vitest'
import type { TestClient } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import type { Host } from '../http/host.ts'
import { call, META, modern, openSession } from '../http/messages.ts'
import { createSample } from '../http/sample.ts'
import { TwoNodes } from '../nodes/two-nodes.ts'
import { modern as asTask, get, legacy, start as startTask } from '../tasks/tasks-sample.ts'
import { define, order, scripting, textOf, weather } from './code-server.ts'

const SCRIPT = `
  const before = await tools.get_weather({ city: 'Rome' })
  const seen = new Map([['rome', before.degrees]])
  const [first, second] = await Promise.all([
    tools.order_tea({ tea: 'green', size: SIZES[0] }),
    tools.get_weather({ city: 'Oslo' }),
  ])
  const third = await tools.order_tea({ tea: 'white', size: SIZES[1] })
  return { first, second, third, rome: seen.get('rome') }`

const asking = `const SIZES = []\n${SCRIPT}`
const knowing = `const SIZES = ['large', 'small']\n${SCRIPT}`
const accept = (size: string) => ({ action: 'accept', content: { size } })
const sizeOf = (question: string) => (question.includes('green') ? 'large' : 'small')

const start = () =>
  TwoNodes.start({}, undefined, (given) => createSample({ ...given, offer: 'code', tools: [weather, order] }))

const ELICITATION = { elicitation: {} }

async function unasked(): Promise<string> {
  const { run } = await scripting()
  return textOf(await run(knowing))
}

async function callOn(host: Host, code: string, more: object = {}): Promise<JsonObject> {
  const meta = { [`${META}clientCapabilities`]: ELICITATION }
  const { message } = await host.send(
    modern('tools/call', { name: 'run', arguments: { code }, ...more }, { meta }),
  )
  return message.result ?? (message as unknown as JsonObject)
}

/** Answers what is asked. */
function answersTo(result: JsonObject): object {
  const asked = result['inputRequests'] as { [key: string]: { params: { message: string } } }
  const answers = Object.entries(asked).map(([key, { params }]) => [key, accept(sizeOf(params.message))])
  return { requestState: result['requestState'], inputResponses: Object.fromEntries(answers) }
}

/** Calls and calls again, each time on the other node, until there is nothing more to answer. */
async function callInTurns(hosts: readonly Host[], code: string): Promise<JsonObject> {
  let more: object = {}
  for (let round = 0; ; round++) {
    const host = hosts[round % hosts.length] as Host
    const result = await callOn(host, code, more)
    if (result['resultType'] !== 'input_required') return { ...result, round }
    more = answersTo(result)
  }
}

/** As if the process that works on it had ended while it waits. */
async function abandon(store: MemoryStore, taskId: string) {
  const key = `tasks/${taskId}`
  const find = async () => (await store.get(key))?.value as unknown as KeptTask
  await expect.poll(async () => (await find()).outcome.status).toBe('input_required')
  const record = await find()
  await store.put(key, { ...record, node: 'gone' } as never)
  return record
}

interface KeptTask {
  readonly outcome: { readonly status: string }
  readonly questions: { readonly [key: string]: { readonly params: { readonly message: string } } }
}

describe('a script that asks its user twice', () => {
  it('gives the same as one that did not have to, on one node and the other (2026-07-28)', async () => {
    await using nodes = await start()
    const result = await callInTurns([nodes.a, nodes.b], asking)
    expect(result['round']).toBe(2)
    expect(textOf(result as never)).toBe(await unasked())
  })

  it('gives the same, answered on one node and the other (2025-11-25)', async () => {
    await using nodes = await start()
    const headers = await openSession(nodes.a, '2025-11-25', ELICITATION)
    const events = await nodes.a.stream({ headers, body: call(1, 'run', { code: asking }) })
    for (const host of [nodes.b, nodes.a]) {
      const question = await events.next()
      const message = String(question?.params?.['message'])
      const answer = { jsonrpc: '2.0', id: question?.id, result: accept(sizeOf(message)) }
      expect((await host.send({ headers, body: answer })).status).toBe(202)
    }
    const [reply] = await events.rest()
    expect(textOf((reply as unknown as { result: never }).result)).toBe(await unasked())
  })

  it('gives the same as a task that others take over while it waits (2026-07-28)', async () => {
    const store = new MemoryStore()
    const nodes = [1, 2, 3].map(() => define({ store, secrets: ['of all'] }) as Server)
    const [first, ...others] = await Promise.all(nodes.map((node) => asTask(node)))
    const taskId = await startTask(first as TestClient, 'run', { arguments: { code: asking } })
    for (const other of others) {
      const { questions } = await abandon(store, taskId)
      const given = Object.entries(questions).map(([key, { params }]) => [
        key,
        accept(sizeOf(params.message)),
      ])
      await other.request('tasks/update', { taskId, inputResponses: Object.fromEntries(given) })
    }
    const status = async () => (await get(others[1] as TestClient, taskId))['status']
    await expect.poll(status).toBe('completed')
    const { result } = await get(others[1] as TestClient, taskId)
    expect(textOf(result as never)).toBe(await unasked())
  })

  it('gives the same as a task that another takes over while it waits (2025-11-25)', async () => {
    const store = new MemoryStore()
    const nodes = [1, 2].map(() => define({ store, secrets: ['of both'] }) as Server)
    const answers = {
      'elicitation/create': ({ message }: JsonObject) => accept(sizeOf(String(message))),
    }
    const taskId = await startTask(await legacy(nodes[0] as Server), 'run', { arguments: { code: asking } })
    await abandon(store, taskId)
    const other = await legacy(nodes[1] as Server, { answers })
    expect(textOf((await other.request('tasks/result', { taskId })) as never)).toBe(await unasked())
  })

  it('goes on once, however often it is answered', async () => {
    await using nodes = await start()
    const more = answersTo(await callOn(nodes.a, asking))
    expect(await callOn(nodes.b, asking, more)).toMatchObject({ resultType: 'input_required' })
    const again = await callOn(nodes.a, asking, more)
    expect(textOf(again as never)).toMatch(/^The script has gone on with an answer already/)
  })

  it('asks again for what was left unanswered, and is not gone on with before', async () => {
    await using nodes = await start()
    const both = `return await Promise.all([tools.order_tea({ tea: 'green' }), tools.order_tea({ tea: 'white' })])`
    const first = await callOn(nodes.a, both)
    const { requestState, inputResponses } = answersTo(first) as {
      requestState: string
      inputResponses: object
    }
    const [[key, answer] = ['', {}]] = Object.entries(inputResponses)
    const second = await callOn(nodes.b, both, { requestState, inputResponses: { [key]: answer } })
    expect(Object.keys(second['inputRequests'] as object)).toHaveLength(1)
    expect(Object.keys(second['inputRequests'] as object)).not.toContain(key)
    const done = await callOn(nodes.a, both, answersTo(second))
    expect(textOf(done as never)).toBe('["a large green tea","a small white tea"]')
  })

  it('is kept sealed, for a while, and for its caller', async () => {
    const store = new MemoryStore()
    const kept: { key: string; value: unknown; ttlMs: number | undefined }[] = []
    const put = store.put.bind(store)
    store.put = (key, value, options) => {
      if (key.startsWith('scripts/')) kept.push({ key, value, ttlMs: options?.ttlMs })
      return put(key, value, options)
    }
    const answers = { 'elicitation/create': () => accept('large') }
    const { run } = await scripting({ store }, { revision: '2025-11-25', answers })
    expect(textOf(await run(`const secret = 'swordfish'; await tools.order_tea(); return secret`))).toBe(
      'swordfish',
    )
    expect(kept.map(({ ttlMs }) => ttlMs)).toEqual([900_000, 900_000])
    const [sealed] = kept
    expect(String(sealed?.value).length).toBeGreaterThan(50_000)
    expect(Buffer.from(String(sealed?.value), 'base64url').toString('latin1')).not.toContain('quickjs')
  })

  it('gives its room back once it has gone on', async () => {
    const answers = { 'elicitation/create': () => accept('large') }
    const { run } = await scripting({ budgets: { maxScriptStoreBytes: 400_000 } }, { answers })
    const code = `let last\nfor (let at = 0; at < 5; at++) last = await tools.order_tea({ tea: 'number ' + at })\nreturn last`
    expect(textOf(await run(code))).toBe('a large number 4 tea')
  })

  it('says so where it holds too much to be kept, or more than there is room for', async () => {
    const answers = { 'elicitation/create': () => accept('large') }
    const code = `await tools.get_weather({ city: 'Rome' }); return await tools.order_tea()`
    const small = await scripting({ budgets: { maxScriptKeptBytes: 1000 } }, { answers })
    expect(textOf(await small.run(code))).toMatch(
      /^What it holds is too much to be kept while it waits: at most 1000 bytes, got \d+ \(--max-script-kept\)\n1 of 2 calls were made: get_weather, order_tea \(not made\)\.$/,
    )
    const full = await scripting({ budgets: { maxScriptStoreBytes: 1000 } }, { answers })
    expect(textOf(await full.run(code))).toMatch(
      /at most 1000 bytes, got \d+ \(--max-script-store\)\n1 of 2 calls/,
    )
  })

  it.each([
    ['asks too often', () => accept('large'), /^Still asking after 20 rounds\n/],
    [
      'is answered wrongly',
      () => ({ action: 'accept', content: { size: 5 } }),
      /is not valid: size: expected/,
    ],
    ['is not answered', () => Promise.reject(new Error('nobody is there')), /^nobody is there\n/],
  ])('says which calls were made where it %s (2025-11-25)', async (_case, answer, said) => {
    const answers = { 'elicitation/create': answer as never }
    const { run } = await scripting({}, { revision: '2025-11-25', answers })
    const failed = await run(
      `await tools.greet(); for (let at = 0; at < 21; at++) await tools.order_tea({ tea: 'number ' + at })`,
    )
    expect(failed.isError).toBe(true)
    expect(textOf(failed)).toMatch(said)
    expect(textOf(failed)).toMatch(/\n\d+ of \d+ calls were made: greet, order_tea/)
  })

  it('says which calls were made where the store is away, and holds no room for what is not kept', async () => {
    const store = new MemoryStore()
    let isAway = true
    const put = store.put.bind(store)
    store.put = async (key, ...more) => {
      if (isAway && key.startsWith('scripts/')) throw new Error('no way to 10.0.0.1')
      return put(key, ...more)
    }
    const answers = { 'elicitation/create': () => accept('large') }
    const { run } = await scripting({ store, budgets: { maxScriptStoreBytes: 400_000 } }, { answers })
    const code = `await tools.greet(); return await tools.order_tea()`
    for (let at = 0; at < 3; at++)
      expect(textOf(await run(code))).toMatch(
        /^It asks its user, .+ the store is away\n1 of 2 calls were made: greet, order_tea \(not made\)\.$/,
      )
    isAway = false
    expect(textOf(await run(code))).toBe('a large black tea')
  })
})
