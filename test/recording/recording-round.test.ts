import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { type JsonObject, REVISIONS } from '../../src/kernel/index.ts'
import { parseRecording } from '../../src/recording/format.ts'
import { PERIGEE, perigee } from '../cli/run.ts'
import { PLANTED } from '../setup/planted-secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'recording-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string) => join(folder, name)

process.env['PERIGEE_INDEX'] = join(import.meta.dirname, '..', '..', 'dist', 'index.js')
const SERVER = join(import.meta.dirname, 'recorded-server.mjs')
const SERVE = [process.execPath, PERIGEE, 'serve', SERVER, '--log-level', 'off']
const env = { PERIGEE_INDEX: process.env['PERIGEE_INDEX'] }
const answers = {
  'elicitation/create': () => ({ action: 'accept' as const, content: { name: 'Ann' } }),
  'sampling/createMessage': () => ({
    role: 'assistant' as const,
    model: 'none',
    content: { type: 'text' as const, text: 'Here' },
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///here' }] }),
}

/** All that a client of a revision can ask for. */
async function tour(client: Client, rounds: number): Promise<void> {
  const { requests } = client.revision
  const has = (method: string) => requests.includes(method)
  for (let round = 0; round < rounds; round++) {
    await client.tools()
    await client.callTool('add', { a: round, b: 2 })
    await client.callTool('climb', {}, { onProgress: () => {} })
    if (client.revision.elicitation.length > 0) await client.callTool('greet', {})
    await client.callTool('survey', {})
    await client.resources()
    await client.templates()
    await client.read('memo://one')
    await client.read('memo://other')
    await client.prompts()
    await client.prompt('poem', { about: 'rain' })
    if (has('completion/complete'))
      await client.complete({ type: 'ref/resource', uri: 'memo://{name}' }, { name: 'name', value: 'o' })
    if (has('logging/setLevel')) await client.setLogLevel('info')
    if (has('ping')) await client.request('ping', {})
    await client.callTool('missing', {}).catch(() => {})
    await callOff(client)
    if (client.revision.tasks !== 'none') await tourTasks(client)
    const listening = await client.listen({ uris: ['memo://one'] }, () => {})
    await listening.close()
  }
}

/** A call that its client gives up while it is under way. */
async function callOff(client: Client): Promise<void> {
  const stop = new AbortController()
  const given = client.callTool('wait', {}, { signal: stop.signal, onProgress: () => stop.abort() })
  await given.catch(() => {})
}

/** One that is waited for, and one that is called off. */
async function tourTasks(client: Client): Promise<void> {
  const { taskId = '', result } = await client.tasks.start('film')
  await result()
  await client.tasks.get(taskId)
  if (client.revision.requests.includes('tasks/list')) await client.tasks.list()
  await (await client.tasks.start('wait')).cancel()
}

it('a recording of all methods in every revision says the same on the same server, and tells what another says', async () => {
  const recording = file('all.jsonl')
  for (const [at, { id }] of REVISIONS.entries()) {
    const client = await connect(
      { command: process.execPath, args: [...SERVE.slice(1), '--record', file(`${at}.jsonl`)], env },
      { answers, revision: id },
    )
    await tour(client, 8)
    await client.close()
  }
  const all = REVISIONS.map((_, at) =>
    readFileSync(file(`${at}.jsonl`), 'utf8').replaceAll('"connection":"c1"', `"connection":"r${at}"`),
  )
  writeFileSync(recording, all.join(''))
  expect(parseRecording(all.join('')).length).toBeGreaterThan(1000)

  expect(await perigee(['replay', recording, '--', ...SERVE])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+ messages, no difference\n$/),
  })
  process.env['PLANT'] = '1'
  const changed = await perigee(['replay', recording, '--json', '--', ...SERVE])
  delete process.env['PLANT']
  expect(changed.status).toBe(1)
  const { differences } = JSON.parse(changed.stdout) as {
    differences: { connection: string; name: string; lines: string[] }[]
  }
  // In each revision: one sum of eight, and eight times the way down and the other memo.
  expect(differences).toHaveLength(REVISIONS.length * (1 + 8 + 8))
  expect(
    differences.filter(({ name }) => /^the answer to #\d+, resources\/read memo:\/\/one$/.test(name)),
  ).toHaveLength(REVISIONS.length * 8)
  expect(new Set(differences.map(({ connection }) => connection)).size).toBe(REVISIONS.length)
})

it('stands between a host and a server, and hands on every byte', async () => {
  const recording = file('between.jsonl')
  const [command, ...args] = [process.execPath, PERIGEE, 'record', '--file', recording, '--', ...SERVE]
  const client = await connect({ command, args, env }, { answers, revision: '2025-11-25' })
  const secret = 'hunter2-hunter2'
  const { content } = await client.callTool('echo', {
    password: secret,
    note: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  })
  await client.close()
  expect(JSON.stringify(content)).toContain(secret)
  const text = readFileSync(recording, 'utf8')
  expect(text).not.toContain(secret)
  expect(text).not.toContain('16C7e42F292c')
  expect(statSync(recording).mode & 0o777).toBe(0o600)
})

it.each([
  [['perigee-has-no-such-command'], 3, /perigee-has-no-such-command cannot be started: /],
  [['sh', '-c', 'exit 7'], 7, /^$/],
  [['sh', '-c', 'kill -9 $$'], 137, /^$/],
])('ends as %j does', async (command, status, words) => {
  const ended = await perigee(['record', '--file', file('ended.jsonl'), '--', ...command])
  expect(ended).toMatchObject({ status, stderr: expect.stringMatching(words) })
})

it('a mock says what the server said, to any client', async () => {
  const recording = file('mocked.jsonl')
  const recorded = await connect(
    { command: process.execPath, args: [...SERVE.slice(1), '--record', recording], env },
    { answers, revision: '2025-06-18' },
  )
  await recorded.callTool('add', { a: 1, b: 2 })
  await recorded.callTool('greet', {})
  await recorded.callTool('climb', {}, { onProgress: () => {} })
  await recorded.close()

  const told: unknown[] = []
  const client = await connect(
    { command: process.execPath, args: [PERIGEE, 'mock', recording] },
    { answers, revision: '2025-06-18' },
  )
  expect((await client.callTool('add', { a: 1, b: 2 })).content).toEqual([{ type: 'text', text: '3' }])
  expect((await client.callTool('greet', {})).content).toEqual([{ type: 'text', text: 'Hello Ann' }])
  await client.callTool('climb', {}, { onProgress: ({ progress }) => told.push(progress) })
  await expect(client.callTool('add', { a: 2, b: 2 })).rejects.toThrow(
    /The recording has no answer to this: it has/,
  )
  await client.close()
  expect(told).toEqual([1, 2, 3])
})

it('a mock does so over HTTP, too', async () => {
  const mock = spawn(process.execPath, [PERIGEE, 'mock', file('mocked.jsonl'), '--http', '--port', '0'])
  const [line] = (await once(createInterface({ input: mock.stdout }), 'line')) as [string]
  const told: unknown[] = []
  const client = await connect(line, { answers, revision: '2025-06-18' })
  expect((await client.callTool('add', { a: 1, b: 2 })).content).toEqual([{ type: 'text', text: '3' }])
  expect((await client.callTool('greet', {})).content).toEqual([{ type: 'text', text: 'Hello Ann' }])
  await client.callTool('climb', {}, { onProgress: ({ progress }) => told.push(progress) })
  await expect(client.callTool('add', { a: 2, b: 2 })).rejects.toThrow(/The recording has no answer to this/)
  expect(told).toEqual([1, 2, 3])
  await client.close()
  const statuses = async (init: RequestInit) => (await fetch(line, init)).status
  expect(await statuses({ method: 'GET' })).toBe(405)
  expect(await statuses({ method: 'POST', body: 'no JSON' })).toBe(400)
  expect(await statuses({ method: 'POST', body: '{}', headers: { origin: 'https://evil.example' } })).toBe(
    403,
  )
  mock.kill()
  expect((await once(mock, 'exit'))[0]).toBe(0)
})

it('none of the planted secrets is in a recording, wherever they were said', async () => {
  const recording = file('secrets.jsonl')
  const client = await connect(
    { command: process.execPath, args: [...SERVE.slice(1), '--record', recording], env },
    { answers },
  )
  for (const [, message, secret] of PLANTED) {
    const { content } = await client.callTool('echo', message as JsonObject)
    expect(JSON.stringify(content)).toContain(secret)
  }
  await client.close()
  const text = readFileSync(recording, 'utf8')
  expect(parseRecording(text).length).toBeGreaterThan(2 * PLANTED.length)
  expect(PLANTED.filter(([, , secret]) => text.includes(secret)).map(([where]) => where)).toEqual([])
})

it('a recording becomes a test that node runs', async () => {
  const [recording, written] = [file('mocked.jsonl'), file('x.test.mjs')]
  const { status, stdout } = await perigee(['replay', recording, '--test', written, '--', ...SERVE])
  expect([status, stdout]).toEqual([0, `${written}: run it with node --test ${written}\n`])
  mkdirSync(file('node_modules/.bin'), { recursive: true })
  symlinkSync(PERIGEE, file('node_modules/.bin/perigee'))
  const run = (more: object) =>
    promisify(execFile)(process.execPath, ['--test', written], {
      cwd: folder,
      env: { ...process.env, ...more },
    })
  await expect(run({ NODE_TEST_CONTEXT: undefined })).resolves.toMatchObject({
    stdout: expect.stringContaining('# pass 1'),
  })
  await expect(run({ NODE_TEST_CONTEXT: undefined, PLANT: '1' })).rejects.toMatchObject({
    stdout: expect.stringContaining('# fail 1'),
  })
})

it.each([
  [['replay', 'nowhere.jsonl', '--', 'x'], /there is no file nowhere\.jsonl\. Make one: perigee record/],
  [['replay', SERVER, '--', 'x'], /server\.mjs is no recording: line 1 is no JSON/],
  [['replay', SERVER], /expected perigee replay FILE -- COMMAND/],
  [['mock'], /expected perigee mock FILE/],
  [['record'], /which server\? Expected perigee record/],
  [['record', '--file', '/nowhere/x', '--', 'true'], /file: \/nowhere\/x cannot be written/],
])('%s is told what is wrong', async (args, words) => {
  const { status, stderr } = await perigee(args)
  expect(status).toBe(2)
  expect(stderr).toMatch(words)
})
