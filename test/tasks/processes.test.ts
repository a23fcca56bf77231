import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { McpClient } from '../setup/mcp-client.ts'
import { introduction } from '../setup/talk.ts'
import { accept, RELATED, TASKS } from './tasks-sample.ts'

const SCRIPT = join(import.meta.dirname, 'tasks-server.mjs')

/** Long enough for a process that was killed to be missed. */
const PATIENCE = { timeout: 20_000 }

interface Place {
  readonly args: readonly string[]
  /** A file that the tools write and look for. */
  readonly mark: string
}

function createPlace(finished: (run: () => void) => void): Place {
  const folder = mkdtempSync(join(tmpdir(), 'tasks-'))
  finished(() => rmSync(folder, { recursive: true, force: true }))
  const mark = join(folder, 'mark')
  return { args: [`sqlite:${join(folder, 'tasks.db')}`, mark], mark }
}

/** A client of the newest revision, and the process it talks to. */
class Modern {
  readonly process: McpClient

  constructor({ args }: Place) {
    this.process = new McpClient(SCRIPT, { args })
  }

  async ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const _meta = introduction({ elicitation: {}, extensions: { [TASKS]: {} } })
    const { result, error } = await this.process.sendRequest(method, { ...params, _meta })
    return (result ?? error) as JsonObject // A response has one of them.
  }

  async start(name: string, args: JsonObject = {}): Promise<string> {
    const { taskId } = await this.ask('tools/call', { name, arguments: args })
    return String(taskId)
  }

  get(taskId: string): Promise<JsonObject> {
    return this.ask('tasks/get', { taskId })
  }
}

describe.concurrent('tasks in a file', () => {
  it('survive kill -9 of their server', async ({ expect, onTestFinished: finished }) => {
    const place = createPlace(finished)
    const first = new Modern(place)
    finished(() => first.process.kill())
    const quick = await first.start('quick')
    const repeatable = await first.start('repeatable', { text: 'repeated' })
    const [long, asking] = [await first.start('long'), await first.start('ask')]
    const early = await first.start('ask')
    for (const [id, status] of [
      [quick, 'completed'],
      [asking, 'input_required'],
      [early, 'input_required'],
    ] as const)
      await expect.poll(async () => (await first.get(id))['status'], PATIENCE).toBe(status)
    const before = await first.get(quick)
    await first.process.kill()

    const second = new Modern(place)
    finished(() => second.process.kill())
    expect(await second.get(quick), 'a finished result is there').toEqual(before)
    // One that waited is answered at once, the other when its process has long been missed.
    await second.ask('tasks/update', { taskId: early, inputResponses: { name: accept('Ann') } })
    await expect
      .poll(() => second.get(long), PATIENCE)
      .toMatchObject({
        status: 'failed',
        statusMessage: 'The task was interrupted: its server ended before it did',
        error: { code: -32603 },
      })
    expect(await second.get(repeatable)).toMatchObject({ status: 'working' })
    writeFileSync(place.mark, '')
    await expect
      .poll(() => second.get(repeatable), PATIENCE)
      .toMatchObject({
        status: 'completed',
        result: { content: [{ text: expect.stringMatching(/^repeated by /) }] },
      })
    expect(await second.get(asking)).toMatchObject({ status: 'input_required', inputRequests: { name: {} } })
    await second.ask('tasks/update', { taskId: asking, inputResponses: { name: accept('Bob') } })
    for (const [id, text] of [
      [early, 'Hello, Ann'],
      [asking, 'Hello, Bob'],
    ] as const)
      await expect
        .poll(() => second.get(id), PATIENCE)
        .toMatchObject({ status: 'completed', result: { content: [{ text }] } })
    expect(await second.process.closeStdin()).toBe(0)
  })

  it('are seen, answered and cancelled through another process', async ({
    expect,
    onTestFinished: finished,
  }) => {
    const place = createPlace(finished)
    const [one, other] = [new Modern(place), new Modern(place)]
    for (const { process } of [one, other]) finished(() => process.kill())
    const [long, asking] = [await one.start('long'), await one.start('ask')]
    expect(await other.get(long)).toMatchObject({ status: 'working' })
    await expect.poll(() => other.get(asking), PATIENCE).toMatchObject({ inputRequests: { name: {} } })
    await other.ask('tasks/update', { taskId: asking, inputResponses: { name: accept('Ann') } })
    await expect
      .poll(() => other.get(asking), PATIENCE)
      .toMatchObject({ status: 'completed', result: { content: [{ text: 'Hello, Ann' }] } })
    expect(await other.ask('tasks/cancel', { taskId: long })).toMatchObject({ resultType: 'complete' })
    await expect.poll(() => existsSync(place.mark), PATIENCE).toBe(true)
    expect(await one.get(long)).toMatchObject({ status: 'cancelled' })
  })

  it('are told of to whoever listens in another process', async ({ expect, onTestFinished: finished }) => {
    const place = createPlace(finished)
    const [one, other] = [new Modern(place), new Modern(place)]
    for (const { process } of [one, other]) finished(() => process.kill())
    const taskId = await one.start('repeatable', { text: 'told' })
    const _meta = introduction({ extensions: { [TASKS]: {} } })
    void other.process
      .sendRequest('subscriptions/listen', { notifications: { taskIds: [taskId] }, _meta })
      .catch(() => {}) // It is killed in the end.
    expect(await other.process.readNotification()).toMatchObject({
      params: { notifications: { taskIds: [taskId] } },
    })
    writeFileSync(place.mark, '')
    expect(await other.process.readNotification()).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'completed', result: { content: [{}] } },
    })
  })

  it('of the revision before are waited for in another process, whatever becomes of the first', async ({
    expect,
    onTestFinished: finished,
  }) => {
    const place = createPlace(finished)
    const [one, other] = [await startLegacy(place), await startLegacy(place)]
    for (const client of [one, other]) finished(() => client.kill())
    const begin = async (name: string) => {
      const { result } = await one.sendRequest('tools/call', { name, task: { ttl: 60_000 } })
      return (result as { task: { taskId: string } }).task.taskId
    }
    const [quick, long] = [await begin('quick'), await begin('long')]
    expect(await other.sendRequest('tasks/result', { taskId: quick })).toMatchObject({
      result: { content: [{}], _meta: { [RELATED]: { taskId: quick } } },
    })
    expect(await other.sendRequest('tasks/list')).toMatchObject({
      result: { tasks: [{ taskId: quick }, { taskId: long }] },
    })
    const waiting = other.sendRequest('tasks/result', { taskId: long })
    await one.kill()
    expect(await waiting).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('interrupted') },
    })
  })
})

async function startLegacy({ args }: Place): Promise<McpClient> {
  const client = new McpClient(SCRIPT, { args })
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  await client.sendRequest('initialize', params)
  client.sendNotification('notifications/initialized')
  return client
}
