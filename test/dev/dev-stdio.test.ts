import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAlive, PipeHost, Project, type RecordedLine, serverFile, textOf } from './dev-host.ts'

let project: Project
let hosts: PipeHost[] = []

beforeEach(() => {
  project = new Project()
})

afterEach(async () => {
  await Promise.all(hosts.map((host) => host.kill()))
  hosts = []
  project.remove()
})

async function open(text: string, args: readonly string[] = []): Promise<PipeHost> {
  project.save('server.mjs', text)
  const host = new PipeHost(project, args)
  hosts.push(host)
  return host
}

/** Saves the server, and waits until it is what is served. */
async function reload(host: PipeHost, text: string): Promise<void> {
  const before = host.stderr.match(/reloaded in/g)?.length ?? 0
  project.save('server.mjs', text)
  await host.says(/reloaded in \d+ ms/, before + 1)
}

const one = serverFile({ say: 'return "one"' })

it('runs with the next call what has been saved, and tells of the lists that have changed and of no other', async () => {
  const host = await open(one)
  await host.initialize()
  expect(await host.call('say')).toBe('one')
  await reload(host, serverFile({ say: 'return "two"' }))
  expect(await host.call('say')).toBe('two')
  await reload(host, serverFile({ say: 'return "three"', more: 'return "more"' }))
  expect(await host.call('more')).toBe('more')
  await host.hears(({ method }) => method === 'notifications/tools/list_changed')
  const prompt = `prompts: [{ name: 'greet', render: () => 'Hello' }]`
  await reload(host, serverFile({ say: 'return "three"', more: 'return "more"' }, prompt))
  await host.hears(({ method }) => method === 'notifications/prompts/list_changed')
  expect((await host.request('prompts/list')).result).toMatchObject({ prompts: [{ name: 'greet' }] })
  const told = host.heard.flatMap(({ method }) => (method === undefined ? [] : [method]))
  expect(told).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed'])
  const said = host.stderr.trimEnd().split('\n')
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'notice', message: expect.stringMatching(/^reloaded in \d+ ms$/) },
    { level: 'notice', message: expect.stringMatching(/^reloaded in \d+ ms: \+1 tool$/) },
    { level: 'notice', message: expect.stringMatching(/^reloaded in \d+ ms: \+1 prompt$/) },
  ])
  expect(await host.end()).toBe(0)
})

it('lets calls under way finish where they began, with their progress, and cancels them there', async () => {
  const waits = (word: string) =>
    serverFile({
      slow: `while (!globalThis.done) await new Promise((r) => setTimeout(r, 5)); call.progress(1, 1); return "${word}"`,
      stuck: `await new Promise((_r, reject) => call.signal.addEventListener('abort', () => { console.error('called off'); reject(call.signal.reason) }))`,
      finish: `globalThis.done = true; return "done"`,
    })
  const host = await open(
    waits('old').replace(
      'export default',
      `process.on('SIGUSR2', () => { globalThis.done = true })\nconsole.error('pid', process.pid)\nexport default`,
    ),
  )
  await host.initialize()
  await host.says(/pid \d+/)
  const pid = Number(/pid (\d+)/.exec(host.stderr)?.[1])
  const slow = host.ask('tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } })
  const stuck = host.ask('tools/call', { name: 'stuck', arguments: {} })
  await host.request('ping')
  await reload(host, waits('new'))
  host.send({ method: 'notifications/cancelled', params: { requestId: stuck } })
  await host.says('called off')
  process.kill(pid, 'SIGUSR2')
  expect(textOf(await host.answer(slow))).toBe('old')
  expect(host.notices('notifications/progress').map(({ params }) => params?.['progressToken'])).toEqual(['p'])
  expect(await host.call('finish')).toBe('done')
  expect(await host.call('slow')).toBe('new')
  await host.until(() => (isAlive(pid) ? undefined : true))
})

it('goes on with what it served where the new code does not load, and says why to the person and to the host', async () => {
  const host = await open(one)
  await host.initialize()
  project.save('server.mjs', 'export default {')
  const notice = await host.hears(({ method }) => method === 'notifications/message')
  expect(notice.params).toMatchObject({ level: 'error', logger: 'perigee dev' })
  expect(notice.params?.['data']).toMatch(/^Not reloaded: \.\/server\.mjs does not load: /)
  expect(host.stderr).toMatch(/server\.mjs does not load: .*"stack":\["at .*server\.mjs:1"/)
  expect(host.stderr).toContain('not reloaded: what was served before goes on being served')
  expect(await host.call('say')).toBe('one')
  await reload(host, serverFile({ say: 'return "mended"' }))
  expect(await host.call('say')).toBe('mended')
})

it('keeps a host that connects while the file does not load, and offers what it has once it does', async () => {
  const host = await open('export default nothing')
  const { result } = await host.initialize()
  expect(result?.['instructions']).toMatch(/^Nothing is offered yet: .*does not load: nothing is not defined/)
  expect((await host.request('tools/list')).result).toEqual({ tools: [] })
  await reload(host, one)
  await host.hears(({ method }) => method === 'notifications/tools/list_changed')
  expect(await host.call('say')).toBe('one')
})

it('answers what a crash left unanswered with an error, and starts again', async () => {
  const host = await open(
    serverFile({ say: 'return "well"', die: 'process.exit(7)', wait: 'await new Promise(() => {})' }),
  )
  await host.initialize()
  const waiting = host.ask('tools/call', { name: 'wait', arguments: {} })
  const dying = await host.request('tools/call', { name: 'die', arguments: {} })
  expect(dying.error?.message).toBe('The call was not answered: the process that served it has ended (7)')
  expect((await host.answer(waiting)).error?.code).toBe(-32603)
  expect(await host.call('say')).toBe('well')
  await host.says(/has ended \(7\): another takes its place/)
  await host.says(/restarted in \d+ ms/)
  expect(await host.end()).toBe(0)
})

it('moves subscriptions and log levels to the new code', async () => {
  const text = (word: string) =>
    serverFile(
      { touch: `call.log('debug', '${word}'); call.server.updated('note://a'); return '${word}'` },
      `resources: [{ uri: 'note://a', name: 'a', subscribable: true, read: () => '${word}' }]`,
    )
  const host = await open(text('old'))
  await host.initialize()
  await host.request('resources/subscribe', { uri: 'note://a' })
  await host.request('logging/setLevel', { level: 'debug' })
  await reload(host, text('new'))
  expect(await host.call('touch')).toBe('new')
  await host.hears(({ method }) => method === 'notifications/resources/updated')
  expect(host.notices('notifications/message').map(({ params }) => params?.['data'])).toEqual(['new'])
  await host.request('resources/unsubscribe', { uri: 'note://a' })
  await reload(host, text('newer'))
  expect(await host.call('touch')).toBe('newer')
  await host.request('ping')
  expect(host.notices('notifications/resources/updated')).toHaveLength(1)
})

it('takes answers to whoever asked, where old and new code ask at once', async () => {
  const asks = (word: string) =>
    serverFile({
      ask: `const asked = call.ask({ a: elicit({ message: '${word}?', schema: { type: 'object', properties: { b: { type: 'string' } } } }) })
        return asked instanceof Needs ? asked : '${word} ' + asked.a.content.b`,
    })
  const host = await open(asks('old'))
  await host.initialize('2025-11-25', { elicitation: {} })
  const question = (word: string) => host.hears(({ params }) => params?.['message'] === `${word}?`)
  const accept = (id: unknown, b: string) => host.send({ id, result: { action: 'accept', content: { b } } })
  const first = host.ask('tools/call', { name: 'ask', arguments: {} })
  const old = await question('old')
  await reload(host, asks('new'))
  const second = host.ask('tools/call', { name: 'ask', arguments: {} })
  const young = await question('new')
  expect(young.id).not.toBe(old.id)
  accept(young.id, 'to new')
  accept(old.id, 'to old')
  expect(textOf(await host.answer(first))).toBe('old to old')
  expect(textOf(await host.answer(second))).toBe('new to new')
})

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

it('keeps open what a client of 2026-07-28 listens by', async () => {
  const host = await open(one)
  const listening = host.ask('subscriptions/listen', {
    _meta: META,
    notifications: { toolsListChanged: true },
  })
  await host.hears(({ method }) => method === 'notifications/subscriptions/acknowledged')
  for (const word of ['a', 'b']) {
    await reload(host, serverFile({ say: 'return "two"', [word]: 'return ""' }))
    const call = await host.request('tools/call', { _meta: META, name: 'say', arguments: {} })
    expect(textOf(call)).toBe('two')
  }
  const told = await host.until(() => {
    const notices = host.notices('notifications/tools/list_changed')
    return notices.length < 2 ? undefined : notices
  })
  expect(told.map(({ params }) => params?.['_meta'])).toEqual([
    { 'io.modelcontextprotocol/subscriptionId': listening },
    { 'io.modelcontextprotocol/subscriptionId': listening },
  ])
  expect(host.notices('notifications/subscriptions/acknowledged')).toHaveLength(1)
  expect(host.heard.some(({ id, method }) => id === listening && method === undefined)).toBe(false)
})

it('gives up code that does not finish starting', async () => {
  const host = await open(one, ['--start-timeout', '5'])
  await host.initialize()
  project.save('server.mjs', `await new Promise((r) => setTimeout(r, 1e6))\n${one}`)
  await host.says(
    /it did not serve within 5 s: .*; not reloaded: what was served before goes on being served/,
  )
  expect(await host.call('say')).toBe('one')
  await reload(host, serverFile({ say: 'return "two"' }))
  expect(await host.call('say')).toBe('two')
})

it('hears of files that are imported, put in place by a rename, or saved together, and not of data beside them', async () => {
  project.save('word.mjs', 'export const word = "a"')
  project.save('data.json', '"x"')
  const host = await open(
    `import { word } from './word.mjs'\nimport data from './data.json' with { type: 'json' }\nimport { writeFileSync } from 'node:fs'
${serverFile({ say: 'return word + data', write: 'writeFileSync("kept.json", "1"); writeFileSync("notes.txt", "1"); return "written"' })}`,
  )
  await host.initialize()
  expect(await host.call('say')).toBe('ax')
  project.save('word.tmp', 'export const word = "b"')
  renameSync(join(project.folder, 'word.tmp'), join(project.folder, 'word.mjs'))
  await host.says(/reloaded in/, 1)
  expect(await host.call('say')).toBe('bx')
  project.save('data.json', '"y"')
  await host.says(/reloaded in/, 2)
  expect(await host.call('say')).toBe('by')
  expect(await host.call('write')).toBe('written')
  project.save('word.mjs', 'export const word = "c"')
  await host.says(/reloaded in/, 3)
  expect(await host.call('say')).toBe('cy')
  expect(host.stderr.match(/reloaded in/g)).toHaveLength(3)
})

it('keeps what the file prints out of the protocol', async () => {
  const host = await open(
    `console.log('loading')\n${serverFile({ say: 'console.log("calling"); return "one"' })}`,
  )
  await host.initialize()
  expect(await host.call('say')).toBe('one')
  await host.says('loading')
  await host.says('calling')
})

it('leaves nobody behind, whether the host closes its end or is killed', async () => {
  const text = `console.error('pid', process.pid)\n${one}`
  const pids = ({ stderr }: PipeHost) => [...stderr.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
  const closing = await open(text)
  await closing.initialize()
  await reload(closing, `${text}\n`)
  expect(await closing.end()).toBe(0)
  expect(pids(closing).filter(isAlive)).toEqual([])
  const killed = await open(text)
  await killed.initialize()
  await killed.kill()
  await killed.until(() => (pids(killed).some(isAlive) ? undefined : true))
})

it('says what is wrong with what was typed', async () => {
  const missing = new PipeHost(project)
  hosts.push(missing)
  expect(await missing.end()).toBe(2)
  expect(missing.stderr).toMatch(/^perigee: there is no file .*server\.mjs\n$/)
  const crowd = await open(one, ['--http', '--workers', '2'])
  expect(await crowd.end()).toBe(2)
  expect(crowd.stderr).toBe(
    'perigee: --workers: a server that is being worked on is one process: leave it out\n',
  )
  const opened = await open(one, ['--console', '--console-key', 'short'])
  expect(await opened.end()).toBe(2)
  expect(opened.stderr).toMatch(/^perigee: --console-key: expected at least 22 .*, got 5 characters\n$/)
  const hasty = await open(one, ['--start-timeout', '0'])
  expect(await hasty.end()).toBe(2)
  expect(hasty.stderr).toBe('perigee: start-timeout: expected a second or more, got 0\n')
  const refused = await open(one, ['--http', '--port', '0', '--max-body', 'x'])
  expect(await refused.end()).toBe(2)
  expect(refused.stderr).toMatch(/^perigee: max-body: expected a whole number .*, got "x"\n$/)
  const folder = new PipeHost(project, [], '.')
  hosts.push(folder)
  expect(await folder.end()).toBe(2)
  expect(folder.stderr).toBe(`perigee: ${project.folder} is a folder, a file is wanted: perhaps server.mjs\n`)
})

it('shows what passes on the pipe in a console at one address, whichever child serves', async () => {
  const host = await open(one, ['--console'])
  await host.initialize()
  const found = /can be seen at (\S+)#(\S+)/.exec(host.stderr)
  const address = found?.[1] ?? ''
  const read = async () => {
    const headers = { authorization: `Bearer ${found?.[2]}` }
    const response = await fetch(`${address}/recording`, { headers })
    return response.text()
  }
  expect(await host.call('say')).toBe('one')
  expect(await read()).toContain('"text":"one"')
  await reload(host, serverFile({ say: 'return "two"' }))
  expect(await host.call('say')).toBe('two')
  const lines = (await read()).trimEnd().split('\n')
  const kept = lines.map((line) => JSON.parse(line) as RecordedLine)
  expect(kept.map(({ direction, message: { method } }) => method ?? direction)).toEqual([
    ...['initialize', 'out', 'notifications/initialized', 'tools/call', 'out', 'tools/call', 'out'],
  ])
  expect(new Set(kept.map(({ connection }) => connection)).size).toBe(1)
  await reload(host, serverFile({ die: 'process.exit(7)' }))
  const { error } = await host.request('tools/call', { name: 'die', arguments: {} })
  await expect.poll(async () => (await read()).trimEnd().split('\n').at(-1)).toContain(error?.message)
  expect((await read()).split('"tools/call"')).toHaveLength(4)
  expect(host.stderr.match(/can be seen at/g)).toHaveLength(1)
  expect(await host.end()).toBe(0)
})
