import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'bb-mcp-server.js')
const folder = mkdtempSync(join(tmpdir(), 'bb-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

function run(args: readonly string[], input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
    input,
    cwd: folder,
  })
  return { stdout, stderr, status }
}

function save(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return name
}

it('has nothing to say of a module as it should be', () => {
  const file = save(
    'good.mjs',
    `export default { name: 'good', tools: [{
      name: 'add_up', description: 'Adds two numbers and gives their sum', annotations: { readOnlyHint: true },
      input: { type: 'object', properties: { a: { type: 'number', description: 'One' } }, required: ['a'] },
      output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      run: ({ a }) => ({ sum: a }) }] }`,
  )
  expect(run(['--check', file])).toEqual({
    stdout: 'good: nothing to mend in its tool\n',
    stderr: '',
    status: 0,
  })
})

it('says what is to be mended: names, descriptions, schemas, and how scripts call it', () => {
  const file = save(
    'bad.mjs',
    `export default { name: 'bad', tools: [
      { name: 'add-up', input: { type: 'object', properties: { a: { type: 'number' } } }, run: () => '' },
      { name: 'with space', description: 'Has a name that hosts refuse', run: () => '' },
      { name: 'with.dot', description: 'Has a name that some hosts refuse', run: () => '' },
      { name: 'wrong', description: 'Has a schema that is none', input: { type: 'objekt' }, run: () => '' },
      { name: 'hello', description: 'Has the name of another tool', run: () => '' },
    ] }`,
  )
  const { stdout, stderr, status } = run(['--check', file])
  for (const line of [
    'hello: the server has a tool of this name itself',
    'add-up: description: expected a sentence',
    'add-up: input.a: expected a description',
    'add-up: name: a script has to write tools["add-up"](…)',
    'add-up: output: without a schema a script is given text',
    'add-up: annotations: expected readOnlyHint or destructiveHint',
    'with space: Tool name "with space": use 1 to 128 of A-Z a-z 0-9 _ - .',
    'wrong: Tool wrong: its input schema is not usable',
    'with.dot: name: hosts take letters',
  ])
    expect(stdout).toContain(line)
  expect(stderr).toMatch(/^bb-mcp-server: \d+ things are to be mended in bad\.mjs$/m)
  expect(status).toBe(1)
})

it('says of something that is no tool that it is none', () => {
  const { stdout, status } = run([
    '--check',
    save('empty.mjs', "export default { name: 'e', tools: [null, 5] }"),
  ])
  expect(stdout).toBe(
    'null: A tool must be an object, got null\n5: A tool must be an object, got the number 5\n',
  )
  expect(status).toBe(1)
})

it('says why a module does not load', () => {
  const { stderr, status } = run(['--check', save('none.mjs', 'export default 5')])
  expect(stderr).toContain(
    'module none.mjs does not load: expected a default export { name, tools }, got the number 5',
  )
  expect(status).toBe(1)
  expect(run(['--check', 'nowhere.mjs']).stderr).toBe('bb-mcp-server: check: there is no file nowhere.mjs\n')
  expect(run(['--module', '.']).stderr).toBe('bb-mcp-server: module: . is a folder: name a file in it\n')
  const broken = save('broken.mjs', 'const one = 1\nconst two = = 2\n')
  expect(run(['--check', broken]).stderr).toMatch(
    /module broken\.mjs does not load: Unexpected token '='\s+at .*broken\.mjs:2\n {4}const two = = 2\n$/,
  )
})

const ENDLESS = {
  'waits.mjs': 'await new Promise((resolve) => setTimeout(resolve, 1e8))',
  'loops.mjs': 'for (;;);',
  'never.mjs': "export default { name: 'n', get tools() { for (;;); } }",
}

it('says of a module that does not come to an end that it does not, and ends', async () => {
  const ends = Object.entries(ENDLESS).map(async ([name, text]) => {
    const child = spawn(process.execPath, [SCRIPT, '--check', save(name, text)], { cwd: folder })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const [status] = await once(child, 'close')
    return { stderr, status }
  })
  expect(await Promise.all(ends)).toEqual(
    Object.keys(ENDLESS).map((name) => ({
      stderr: `bb-mcp-server: module ${name} does not load: after 10 s it still waits for something, or does something without end\n`,
      status: 1,
    })),
  )
})

it.each([
  ['leaves a clock running', 'setInterval(() => {}, 1000)', 'good: nothing to mend', '', 0],
  ['ends the process', 'process.exit(0)', '', 'does not load: it ends the process (code 0)', 1],
  [
    'waits for nothing',
    'await new Promise(() => {})',
    '',
    'does not load: it waits for something that does not come',
    1,
  ],
])('looks at a module that %s', (_what, code, said, told, ended) => {
  const { stdout, stderr, status } = run([
    '--check',
    save('odd.mjs', `${code}; export default { name: 'good', tools: [] }`),
  ])
  expect(stdout).toContain(said)
  expect(stderr).toContain(told)
  expect(status).toBe(ended)
})

const INITIALIZE =
  '{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"1.0","clientInfo":{"name":"c"}},"id":1}'
const CALL =
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"hello","arguments":{"name":"World"}},"id":2}'

it('writes telemetry to a file that moves on when it is full, and leaves stdout to the protocol', () => {
  const noisy = save('noisy.mjs', "console.log('loading'); export default { name: 'noisy', tools: [] }")
  const args = [
    '--telemetry',
    'calls.jsonl',
    '--telemetry-size',
    '2000',
    '--log-level',
    'off',
    '--module',
    noisy,
  ]
  const { stdout, status } = run(args, `${INITIALIZE}\n${`${CALL}\n`.repeat(60)}`)
  expect(status).toBe(0)
  expect(stdout.split('\n').filter((line) => line !== '')).toHaveLength(61)
  const files = readdirSync(folder)
    .filter((name) => name.startsWith('calls.jsonl'))
    .sort()
  expect(files).toEqual(['calls.jsonl', ...[1, 2, 3, 4, 5].map((number) => `calls.jsonl.${number}`)])
  const records = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text.length).toBeLessThanOrEqual(2000)
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; tool?: string })
  })
  expect(records).toContainEqual(expect.objectContaining({ event: 'invoked', tool: 'hello', outcome: 'ok' }))
})

it('says once that a file cannot be written, and serves all the same', ({ skip }) => {
  skip(!existsSync('/dev/full'), 'there is no /dev/full here')
  const { stdout, stderr } = run(
    ['--telemetry', '/dev/full', '--log-level', 'error'],
    `${INITIALIZE}\n${`${CALL}\n`.repeat(3)}`,
  )
  expect(stdout.split('Hello, World!')).toHaveLength(4)
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('/dev/full cannot be written, so that nothing is recorded: ENOSPC'),
  ])
})

it.each([
  [['--telemetry', './none/calls.jsonl'], 'telemetry: ./none/calls.jsonl cannot be written'],
  [['--telemetry', 'x.jsonl', '--telemetry-size', '5'], 'telemetry-size: expected 1024 bytes or more, got 5'],
])('refuses %j, and says why', (args, why) => {
  const { stderr, status } = run(args)
  expect(stderr).toContain(why)
  expect(status).toBe(2)
})

it.each([
  ['hangs.mjs', 'await new Promise(() => {})', 'it waits for something that never comes\n'],
  ['throws.mjs', 'const a = 1\nthrow new Error("no luck")', /no luck\n {2}at .*throws\.mjs:2:/],
  ['syntax.mjs', 'export default {\n  name: "x",,\n}', /Unexpected token ','\n {2}at .*syntax\.mjs:2\n/],
  ['goes-on.mjs', 'setInterval(() => {}, 1000)\nthrow new Error("no luck")', /no luck\n {2}at .*on\.mjs:2:/],
])('a server says why %s does not load, and where', (name, text, why) => {
  const { stderr, status } = run(['--module', save(name, text)])
  expect(stderr).toMatch(why)
  expect([stderr.startsWith(`bb-mcp-server: module ${name} does not load: `), status]).toEqual([true, 1])
})

it('a server says of a module that waits, while its timer goes on, that it has not loaded', async () => {
  const file = save('waits.mjs', 'setInterval(() => {}, 1000)\nawait new Promise(() => {})')
  const server = new LineProcess(SCRIPT, { args: ['--module', file], cwd: folder })
  onTestFinished(() => server.kill())
  await expect.poll(() => server.stderr).toContain('module waits.mjs has not loaded for 5 s')
  expect(JSON.parse(server.stderr)).toMatchObject({ level: 'warning', logger: 'bb-mcp-server' })
})
