import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

/** Below the package's own folder, where files find the package by its name, as they do where it is installed. */
const CACHE = join(ROOT, '.cache')
mkdirSync(CACHE, { recursive: true })
const folder = mkdtempSync(join(CACHE, 'serve-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(files: { readonly [name: string]: string }): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const HELLO = `import { defineServer, defineTool } from 'perigee'
const hello = defineTool({ name: 'hello', run: () => 'Hello' })
`
const SERVER = `defineServer({ name: 'greeter', version: '3.2.1', tools: [hello], budgets: { maxLineBytes: 2000 } })`

const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'hello' } }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

/** Serves a file, has its tool called, and gives what came. */
async function serve(
  file: string,
  args: readonly string[] = [],
  messages: readonly unknown[] = [INITIALIZE, CALL],
) {
  const server = new LineProcess(PERIGEE, { args: ['serve', file, ...args], cwd: folder })
  try {
    for (const message of messages) server.write(`${JSON.stringify(message)}\n`)
    const code = await server.end()
    const lines: string[] = []
    for (let line = await server.lines.next(); line !== undefined; line = await server.lines.next())
      lines.push(line)
    return { lines, code, stderr: server.stderr }
  } finally {
    await server.kill()
  }
}

const ANSWER =
  '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Hello"}],"isError":false}}'

it.each([
  ['a server', 'server.mjs', `${HELLO}export default ${SERVER}`],
  ['a function', 'made.mjs', `${HELLO}export default () => ${SERVER}`],
  ['an async function', 'later.mjs', `${HELLO}export default async () => { await 0; return ${SERVER} }`],
  [
    'CommonJS',
    'old.cjs',
    `const { defineServer } = require('perigee')\nconst hello = { name: 'hello', run: () => 'Hello' }\nmodule.exports = ${SERVER}`,
  ],
])('serves a file that exports %s', async (_what, name, text) => {
  write({ [name]: text })
  const { lines, code, stderr } = await serve(`./${name}`)
  expect(stderr).toBe('')
  expect(lines).toEqual([
    expect.stringContaining('"serverInfo":{"name":"greeter","version":"3.2.1"}'),
    ANSWER,
  ])
  expect(code).toBe(0)
})

it.each(['server.ts', 'server.mjs', 'server.js'])('serves %s that imports TypeScript', async (name) => {
  write({
    [`typed/${name}`]: `import { defineServer } from 'perigee'\nimport { hello } from './hello.ts'\nexport default ${SERVER}`,
    'typed/hello.ts': `import { defineTool } from 'perigee'\nconst word: string = 'Hello'\nexport const hello = defineTool({ name: 'hello', run: (): string => word })`,
  })
  const { lines, stderr } = await serve(`typed/${name}`)
  expect(stderr).toBe('')
  expect(lines[1]).toBe(ANSWER)
})

it('of TypeScript that serves itself says what runs it here', async () => {
  write({
    'self.ts': `import { serveStdio } from 'perigee'\n${HELLO}const server: unknown = ${SERVER}\nserveStdio(server as never)`,
  })
  const { stderr } = await serve('./self.ts')
  const [, command = ''] = /run it by itself: (.*)/.exec(stderr) ?? []
  const input = [INITIALIZE, CALL].map((message) => `${JSON.stringify(message)}\n`).join('')
  const { stdout } = spawnSync(command, { cwd: folder, shell: true, input, encoding: 'utf8' })
  expect(stdout.split('\n')[1]).toBe(ANSWER)
})

const lacking = 'typescript' in process.features ? [] : ['TypeScript']

it.each(lacking)('says that Node lacks %s, where nothing beside the file runs it either', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'perigee-serve-file-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  const files = ['server.ts', 'server.mjs'].map((name) => join(outside, name))
  for (const file of files) writeFileSync(file, "import './typed.ts'\nexport default () => undefined")
  writeFileSync(join(outside, 'typed.ts'), '')
  for (const file of files) {
    const { code, stderr } = await serve(file)
    expect(stderr).toMatch(
      /does not run TypeScript .*, as Node 22\.18 and later do\. With this one: npm install --save-dev jiti@2, or/,
    )
    expect(stderr.match(/does not run TypeScript/g)).toHaveLength(1)
    expect(stderr).toContain(file.endsWith('.ts') ? 'server.ts' : 'typed.ts')
    expect(code).toBe(1)
  }
})

it('what a file prints while it is loaded does not get into the protocol', async () => {
  write({ 'loud.mjs': `${HELLO}console.log('loading')\nexport default ${SERVER}` })
  const { lines, stderr } = await serve('./loud.mjs')
  expect(lines).toHaveLength(2)
  expect(stderr).toContain('loading')
})

it('what the operator says comes before what the file says', async () => {
  write({ 'limited.mjs': `${HELLO}export default ${SERVER}` })
  const long = { ...CALL, params: { ...CALL.params, _meta: { x: 'x'.repeat(3000) } } }
  const asWritten = await serve('./limited.mjs', [], [INITIALIZE, long])
  expect(asWritten.lines[1]).toContain('2000 bytes')
  const asFlagged = await serve('./limited.mjs', ['--max-line', '5000'], [INITIALIZE, long])
  expect(asFlagged.lines[1]).toBe(ANSWER)
  const limited = await serve('./limited.mjs', ['--rate-limit', '1'], [INITIALIZE, CALL, { ...CALL, id: 3 }])
  expect(limited.lines[2]).toContain(
    'Too many requests: a caller may make 1 call a minute (--rate-limit): try again in',
  )
  const logged = await serve('./limited.mjs', ['--log-level', 'debug'])
  expect(logged.stderr).toContain('"tool":"hello"')
})

it('has what asks for no scope closed where the operator wants it, but to those who are granted it', async () => {
  write({
    'open.mjs': `${HELLO}export default ${SERVER.replace('[hello]', "[hello, { name: 'read', scopes: ['notes'], run: () => 'ok' }]")}`,
  })
  const keys = 'ann=k1:notes,zed=k2:unscoped'
  const args = ['serve', './open.mjs', '--http', '--port', '0', '--key', keys, '--unscoped', 'closed']
  const server = new LineProcess(PERIGEE, { args, cwd: folder })
  try {
    const [, url = ''] = /listening at (\S+)$/.exec((await server.lines.next()) ?? '') ?? []
    const statusOf = async (key: string, name: string) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const { status } = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          authorization: `Bearer ${key}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({ ...CALL, params: { name, _meta: meta } }),
      })
      return status
    }
    expect([await statusOf('k1', 'hello'), await statusOf('k2', 'hello')]).toEqual([403, 200])
    expect([await statusOf('k1', 'read'), await statusOf('k2', 'read')]).toEqual([200, 403])
    await expect.poll(() => server.stderr).toContain('"status":403')
    expect(server.stderr).toContain('"level":"warning","logger":"greeter"')
  } finally {
    await server.kill()
  }
})

it('is served over HTTP to those who have the key', async () => {
  write({ 'over-http.mjs': `${HELLO}export default ${SERVER}` })
  const args = ['serve', './over-http.mjs', '--http', '--port', '0', '--key', 'secret', '--metrics']
  const server = new LineProcess(PERIGEE, { args, cwd: folder })
  try {
    const [, url = ''] = /^greeter is listening at (\S+)$/.exec((await server.lines.next()) ?? '') ?? []
    const post = (headers: { readonly [name: string]: string }) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(INITIALIZE),
      })
    expect((await post({})).status).toBe(401)
    const answered = await post({ authorization: 'Bearer secret' })
    expect(await answered.json()).toMatchObject({ result: { serverInfo: { name: 'greeter' } } })
    expect((await fetch(url.replace('/mcp', '/healthz'))).status).toBe(200)
  } finally {
    await server.kill()
  }
})

it('tries a store at the start', async () => {
  write({
    'stored.mjs': `${HELLO.replace('{ defineServer', '{ openStore, defineServer')}export default defineServer({ name: 's', version: '1', tools: [hello], store: openStore('sqlite:/nowhere/at/all.db') })`,
  })
  const server = new LineProcess(PERIGEE, { args: ['serve', './stored.mjs'], cwd: folder })
  try {
    await expect.poll(() => server.stderr).toMatch(/nowhere.*tried again with the next call/)
  } finally {
    await server.kill()
  }
})

it('says its name and version', async () => {
  write({ 'versioned.mjs': `${HELLO}export default ${SERVER}` })
  expect((await serve('./versioned.mjs', ['--version'])).lines).toEqual(['3.2.1'])
  expect((await serve('./versioned.mjs', ['--help'])).lines[0]).toBe(
    'versioned: the server in ./versioned.mjs',
  )
})

it.each([
  [
    'that serves itself on stdio',
    `import { serveStdio } from 'perigee'\n${HELLO}serveStdio(${SERVER})`,
    'does not load: it serves itself, by serveStdio(). Let it end in: export default server',
  ],
  [
    'that serves itself over HTTP',
    `import { serveHttp } from 'perigee'\n${HELLO}serveHttp(${SERVER})`,
    'does not load: it serves itself, by serveHttp()',
  ],
  ['that exports nothing', HELLO, 'exports no server: let it end in export default defineServer({ … })'],
  [
    'that exports a definition',
    `export default { name: 'x', version: '1' }`,
    'does not load: export default: expected a server made by defineServer(), got an object: write export default defineServer({ … })',
  ],
  [
    'whose function gives nothing',
    'export default () => {}',
    'expected a server made by defineServer(), got nothing',
  ],
  [
    'with a mistake',
    `${HELLO}\nexport default defineServer({ name: 'x' })`,
    /does not load: defineServer: version: expected a string, got nothing\n {2}at .*wrong\.mjs:4:16/,
  ],
  ['that throws', `throw new Error('no luck')`, 'does not load: no luck\n  at '],
  [
    'that never ends',
    'await new Promise(() => {})',
    'does not load: it waits for something that never comes',
  ],
  [
    'whose function never ends',
    'export default () => new Promise(() => {})',
    'does not load: it waits for something that never comes',
  ],
  ['that throws nothing', 'throw null', 'does not load: null'],
  ['without its imports', `import 'nowhere'`, `does not load: Cannot find package 'nowhere'`],
])('says so of a file %s', async (_what, text, message) => {
  write({ 'wrong.mjs': text })
  const { lines, code, stderr } = await serve('./wrong.mjs')
  expect([lines, code]).toEqual([[], 1])
  expect(stderr).toMatch(message)
  expect(stderr).toMatch(/^perigee: \.\/wrong\.mjs /)
})

it.each([
  ['whose timer goes on', 'setInterval(() => {}, 1000)\nawait new Promise(() => {})'],
  [
    'whose function waits, while its timer goes on',
    'setInterval(() => {}, 1000)\nexport default () => new Promise(() => {})',
  ],
])('says of a file %s that it has not loaded', async (_what, text) => {
  write({ 'waits.mjs': text })
  const server = new LineProcess(PERIGEE, { args: ['serve', './waits.mjs'], cwd: folder })
  onTestFinished(() => server.kill())
  await expect.poll(() => server.stderr).toContain('./waits.mjs has not loaded for 5 s')
  expect(JSON.parse(server.stderr)).toMatchObject({ level: 'warning', logger: 'waits' })
})

it('ends where a file fails whose timer goes on', async () => {
  write({ 'fails.mjs': "setInterval(() => {}, 1000)\nthrow new Error('no luck')" })
  const { code, stderr } = await serve('./fails.mjs')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^perigee: \.\/fails\.mjs does not load: no luck\n {2}at .*fails\.mjs:2:7\n$/)
})

const UNPARSABLE = `const server = {\n  name: 'x'\n  version: '1',\n}\nexport default server\n`

it.each([
  ['a file', { 'broken.mjs': UNPARSABLE }, './broken.mjs', 'broken.mjs'],
  ['a file of TypeScript', { 'broken.ts': UNPARSABLE }, './broken.ts', 'broken.ts'],
  [
    'a file that is imported',
    { 'broken.mjs': UNPARSABLE, 'whole.mjs': `import './broken.mjs'\nexport default 1` },
    './whole.mjs',
    'broken.mjs',
  ],
])('says where %s cannot be parsed, and shows the line', async (_what, files, served, broken) => {
  write(files)
  const { lines, code, stderr } = await serve(served)
  expect([lines, code]).toEqual([[], 1])
  expect(stderr).toContain(`perigee: ${served} does not load: `)
  expect(stderr).toContain(`\n  at ${join(folder, broken)}:3\n    version: '1',\n`)
})

it('says so when there is no such file, and of a name that could have been one', async () => {
  expect((await serve('./none.ts')).stderr).toContain(`there is no file ${join(folder, 'none.ts')}`)
  expect((await serve('none')).stderr).toContain('there is no server none. Expected: workbench')
})

it('has the operator say what models see of the tools of a file', async () => {
  write({ 'offer.mjs': `${HELLO}export default ${SERVER}` })
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  const names = async (args: readonly string[]) => {
    const { lines } = await serve('./offer.mjs', args, [INITIALIZE, list])
    const { tools } = JSON.parse(lines.at(-1) ?? '').result
    return tools.map(({ name }: { name: string }) => name)
  }
  expect(await names([])).toEqual(['hello'])
  expect(await names(['--offer', 'search'])).toEqual(['search', 'call'])
})
