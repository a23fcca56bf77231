import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Heard, isAlive, PortHost, Project, type RecordedLine, serverFile, textOf } from './dev-host.ts'

let project: Project
let hosts: PortHost[] = []

beforeEach(() => {
  project = new Project()
})

afterEach(async () => {
  await Promise.all(hosts.map((host) => host.kill()))
  hosts = []
  project.remove()
})

async function open(text: string, args: readonly string[] = []): Promise<PortHost> {
  project.save('server.mjs', text)
  const host = new PortHost(project, args)
  hosts.push(host)
  await host.listening()
  return host
}

async function reload(host: PortHost, text: string): Promise<void> {
  const before = host.stderr.match(/reloaded in/g)?.length ?? 0
  project.save('server.mjs', text)
  await host.says(/reloaded in \d+ ms/, before + 1)
}

const KEY = 'k'.repeat(30)
const one = serverFile({ say: 'return "one"' })
const methods = (heard: readonly Heard[]) =>
  heard.flatMap(({ method }) => (method === undefined ? [] : [method]))

it('keeps sessions and their streams, and tells of the lists that have changed and of no other', async () => {
  const host = await open(one)
  await host.initialize()
  const stream = await host.listen('GET')
  expect(await host.call('say')).toBe('one')
  await reload(host, serverFile({ say: 'return "two"' }))
  expect(await host.call('say')).toBe('two')
  await reload(host, serverFile({ say: 'return "two"', more: 'return "more"' }))
  expect(await host.call('more')).toBe('more')
  await stream.until(({ heard }) => heard.length > 0)
  project.save('server.mjs', 'export default {')
  await stream.until(({ heard }) => heard.length > 1)
  expect(await host.call('say')).toBe('two')
  await reload(
    host,
    serverFile(
      { say: 'return "three"', more: 'return "more"' },
      `resources: [{ uri: 'a://b', name: 'b', read: () => 'b' }]`,
    ),
  )
  expect(await host.call('say')).toBe('three')
  await stream.until(({ heard }) => heard.length > 2)
  expect(methods(stream.heard)).toEqual([
    'notifications/tools/list_changed',
    'notifications/message',
    'notifications/resources/list_changed',
  ])
  expect(stream.isOpen).toBe(true)
})

it('lets calls under way finish where they began, and takes answers to whoever asked', async () => {
  const asks = (word: string) =>
    serverFile({
      ask: `const asked = call.ask({ a: elicit({ message: '${word}?', schema: { type: 'object', properties: { b: { type: 'string' } } } }) })
        return asked instanceof Needs ? asked : '${word} ' + asked.a.content.b`,
    })
  const host = await open(asks('old'))
  await host.initialize({ elicitation: {} })
  const call = await host.listen('POST', {
    id: 7,
    method: 'tools/call',
    params: { name: 'ask', arguments: {} },
  })
  await call.until(({ heard }) => methods(heard).includes('elicitation/create'))
  await reload(host, asks('new'))
  const [{ id } = {}] = call.heard.filter(({ method }) => method === 'elicitation/create')
  await host.post({ id, result: { action: 'accept', content: { b: 'answered' } } })
  await call.until(({ isOpen }) => !isOpen)
  expect(textOf(call.heard.at(-1) ?? {})).toBe('old answered')
})

it('answers what a crash left unanswered with an error, and goes on with sessions and streams', async () => {
  const host = await open(
    serverFile({
      say: 'return "well"',
      die: 'process.exit(7)',
      begin: 'call.progress(1, 2); await new Promise(() => {})',
    }),
  )
  await host.initialize()
  const stream = await host.listen('GET')
  const params = { name: 'begin', arguments: {}, _meta: { progressToken: 1 } }
  const begun = await host.listen('POST', { id: 8, method: 'tools/call', params })
  await begun.until(({ heard }) => methods(heard).includes('notifications/progress'))
  const dying = await host.post({ id: 9, method: 'tools/call', params: { name: 'die', arguments: {} } })
  expect(dying.error?.message).toBe('The call was not answered: the process that served it has ended (7)')
  await begun.until(({ isOpen }) => !isOpen)
  expect(begun.heard.at(-1)).toMatchObject({ id: 8, error: { code: -32603 } })
  expect(await host.call('say')).toBe('well')
  await reload(host, serverFile({ say: 'return "better"' }))
  await stream.until(({ heard }) => methods(heard).includes('notifications/tools/list_changed'))
  expect(stream.isOpen).toBe(true)
})

it('keeps open what a client of 2026-07-28 listens by', async () => {
  const host = await open(one)
  const stream = await host.listen('POST', {
    id: 5,
    method: 'subscriptions/listen',
    params: { _meta: host.meta, notifications: { toolsListChanged: true } },
  })
  await stream.until(({ heard }) => heard.length === 1)
  for (const word of ['a', 'b']) {
    await reload(host, serverFile({ say: 'return "two"', [word]: 'return ""' }))
    expect(await host.call('say')).toBe('two')
  }
  await stream.until(({ heard }) => heard.length > 2)
  expect(methods(stream.heard)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'notifications/tools/list_changed',
  ])
})

it('guards the port as the server would, and ends with it', async () => {
  const host = await open(one, ['--key', 'sesame'])
  expect((await host.fetch({ host: 'evil.example' })).status).toBe(403)
  expect((await host.fetch({})).status).toBe(401)
  expect((await host.fetch({ authorization: 'Bearer sesame', origin: 'https://evil.example' })).status).toBe(
    403,
  )
  expect((await host.fetch({ authorization: 'Bearer sesame' })).status).toBe(200)
  expect(await host.stop()).toBe(0)
})

it('says who was turned away, whoever the client says it is', async () => {
  const host = await open(one, ['--key', 'sesame'])
  expect((await host.fetch({ 'perigee-remote': '192.0.2.7' })).status).toBe(401)
  await host.says('"event":"turned-away"')
  expect(host.stderr).toMatch(/"status":401,.*"from":"127\.0\.0\.1"/)
})

it('does not say of sessions that go on with the new code that they are closed', async () => {
  const host = await open(serverFile({ say: 'return String(process.pid)' }), ['--log-level', 'info'])
  await host.initialize()
  const old = Number(await host.call('say'))
  await reload(host, one)
  expect(await host.call('say')).toBe('one')
  await host.until(() => (isAlive(old) ? undefined : true))
  await host.stop()
  expect(host.stderr).toContain('"event":"opened"')
  expect(host.stderr).not.toContain('"event":"closed"')
})

it('says that a port is taken', async () => {
  const host = await open(one)
  const second = new PortHost(project, ['--port', String(host.port)])
  hosts.push(second)
  expect(await second.exit()).toBe(1)
  expect(second.stderr).toBe(
    `perigee: port: ${host.port} is in use already on 127.0.0.1: take another, or 0 for any that is free\n`,
  )
})

it('has a console that stays open from one child to the next, and tells of what happens between them', async () => {
  const host = await open(one, ['--console', '--console-key', KEY])
  expect(host.welcome).toContain(`/console#${KEY}`)
  const page = await host.openConsole(KEY)
  expect(await host.call('say')).toBe('one')
  await page.until(({ heard }) => messagesOf(heard).length >= 2)
  project.save('server.mjs', 'export default {')
  await page.until(({ heard }) => noticesOf(heard).length > 0)
  await reload(host, serverFile({ say: 'return "two"', more: 'return ""' }))
  await page.until(({ heard }) =>
    noticesOf(heard).some((text) => /^reloaded in \d+ ms: \+1 tool$/.test(text)),
  )
  const before = messagesOf(page.heard).length
  expect(await host.call('say')).toBe('two')
  await page.until(({ heard }) => messagesOf(heard).length >= before + 2)
  expect(noticesOf(page.heard)[0]).toMatch(/^Not reloaded: .*does not load/)
  const seqs = messagesOf(page.heard).map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_seq, at) => at + 1))
  expect(new Set(page.heard.flatMap((event) => event['run'] ?? [])).size).toBe(1)
  const late = await host.openConsole(KEY)
  await late.until(({ heard }) => noticesOf(heard).length >= 2)
  expect((await host.openConsole('x'.repeat(30))).status).toBe(401)
})

it('shows and exports what passed before a save, and calls no two connections alike', async () => {
  const host = await open(one, ['--console', '--console-key', KEY])
  await host.call('say')
  await host.initialize()
  expect(await host.call('say')).toBe('one')
  await reload(host, serverFile({ say: 'return "a\\u2028b"' }))
  expect(await host.call('say')).toBe('a\u2028b')
  await reload(host, serverFile({ say: 'return "two"' }))
  expect(await host.call('say')).toBe('two')
  await host.fetch({})
  const page = await host.openConsole(KEY)
  await page.until(({ heard }) => messagesOf(heard).length >= 13)
  const kept = await host.recording(KEY)
  expect(kept.map(({ direction, message: { method } }) => method ?? direction)).toEqual([
    ...['tools/call', 'out', 'initialize', 'out', 'notifications/initialized', 'tools/call', 'out'],
    ...['tools/call', 'out', 'tools/call', 'out', 'tools/list', 'out'],
  ])
  const names = kept.map(({ connection }) => connection)
  const session = names[2]
  expect(names).toEqual([
    ...['c1', 'c1', session, session, session, session, session],
    ...[session, session, session, session, '3-c1', '3-c1'],
  ])
  expect(kept.map(({ time }) => time)).toEqual(kept.map(({ time }) => time).toSorted())
  expect(messagesOf(page.heard).map(({ seq }) => seq)).toEqual(kept.map((_line, at) => at + 1))
  expect(messagesOf(page.heard).map(({ connection }) => connection)).toEqual(names)
})

it('shows calls that a crash has left unanswered as errors, whether or not it could tell of them', async () => {
  const text = serverFile({ die: 'process.exit(7)', hang: 'await new Promise(() => {})' })
  const host = await open(text, ['--console', '--console-key', KEY])
  await host.initialize()
  const page = await host.openConsole(KEY)
  const hanging = host.post({ id: 8, method: 'tools/call', params: { name: 'hang', arguments: {} } })
  await page.until(({ heard }) => messagesOf(heard).some(({ message }) => message.id === 8))
  const dying = await host.post({
    id: 9,
    method: 'tools/call',
    params: { name: 'die', arguments: {}, _meta: { password: 'hunter2' } },
  })
  expect((await hanging).error).toEqual(dying.error)
  await page.until(
    ({ heard }) => messagesOf(heard).filter(({ message }) => message.error !== undefined).length === 2,
  )
  const told = messagesOf(page.heard).filter(({ message: { id } }) => id === 8 || id === 9)
  expect(told.map(({ direction, message: { id } }) => `${direction} ${id}`).toSorted()).toEqual([
    ...['in 8', 'in 9', 'out 8', 'out 9'],
  ])
  const answers = told.filter(({ direction }) => direction === 'out')
  for (const { message, ms } of answers) {
    expect(message.error).toEqual(dying.error)
    expect(ms).toBeGreaterThan(0)
  }
  expect(new Set(messagesOf(page.heard).map(({ connection }) => connection)).size).toBe(1)
  expect(JSON.stringify(await host.recording(KEY))).not.toContain('hunter2')
})

it('lets nobody read more of the console than the file says, nor without its key', async () => {
  const host = await open(
    serverFile({ say: 'return "one"' }, 'budgets: { maxConsoleReaders: 1, maxConsoleMessages: 4 }'),
    ['--console', ...['--console-key', KEY]],
  )
  const page = await host.openConsole(KEY)
  expect((await host.openConsole(KEY)).status).toBe(429)
  for (let shown = 2; shown <= 6; shown += 2) {
    await host.call('say')
    await page.until(({ heard }) => messagesOf(heard).length >= shown)
  }
  expect(await host.recording(KEY)).toHaveLength(4)
  await expect(host.recording('x'.repeat(30))).resolves.toEqual([{ error: expect.stringContaining('key') }])
})

interface ShownMessage extends RecordedLine {
  readonly seq: number
  readonly ms?: number
}

function messagesOf(heard: readonly Heard[]): readonly ShownMessage[] {
  return heard.flatMap((event) => (event['items'] as readonly ShownMessage[] | undefined) ?? [])
}

function noticesOf(heard: readonly Heard[]): readonly string[] {
  return heard.flatMap((event) => (event['type'] === 'notice' ? [String(event['text'])] : []))
}
