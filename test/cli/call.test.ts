import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fitArguments, readArguments, readWhole } from '../../src/cli/client/arguments.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { apiKeys, defineServer, type HttpServer, serveHttp } from '../../src/index.ts'
import { REVISIONS } from '../../src/kernel/index.ts'
import { CURIOUS, OFFICIAL, PERIGEE, perigee } from './run.ts'
import { TYPES } from './types.mjs'

let folder: string
let http: HttpServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-call-'))
  writeFileSync(join(folder, 'text.txt'), 'from a file\n')
  writeFileSync(join(folder, 'list.json'), '["x", "y"]')
  const add = {
    name: 'add',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    run: ({ a, b }: { a: number; b: number }) => String(a + b),
  }
  const server = defineServer({ name: 'sums', version: '1.0.0', tools: [add] })
  http = await serveHttp(server, {
    authenticator: apiKeys({ keys: [{ name: 'ann', key: 'a-long-secret' }] }),
  })
})
afterAll(async () => {
  await http.close(0)
  rmSync(folder, { recursive: true })
})

describe('arguments are what the tool’s schema says', () => {
  /** What a line such as `perigee call show …` sends. */
  const read = (args: readonly string[]) => {
    const [whole, words] = args[0] === '--args' ? [args[1], args.slice(2)] : [undefined, args]
    const given = words.map((word) => word.replace('@IN/', `@${folder}/`))
    return fitArguments(readArguments(given), readWhole(whole), TYPES)
  }

  it.each<[readonly string[], unknown]>([
    [
      ['text=42', 'count=42', 'ratio=-1.5e3', 'flag=true'],
      { text: '42', count: 42, ratio: -1500, flag: true },
    ],
    [['maybe=null', 'level=2'], { maybe: null, level: 2 }],
    [['level=high', 'text='], { level: 'high', text: '' }],
    [['tags=a', 'tags=b'], { tags: ['a', 'b'] }],
    [['tags=one'], { tags: ['one'] }],
    [['tags=["a","b"]', 'numbers=1', 'numbers=2'], { tags: ['a', 'b'], numbers: [1, 2] }],
    [
      ['size=3', 'either=007', 'nested={"a":{"b":[1]}}'],
      { size: 3, either: '007', nested: { a: { b: [1] } } },
    ],
    [['either=7', 'anything=7', 'anything=x'], { either: 7, anything: ['7', 'x'] }],
    [
      ['anything:={"a":1}', 'numbers:=[1,2]', 'maybe:=null'],
      { anything: { a: 1 }, numbers: [1, 2], maybe: null },
    ],
    [
      ['text=@IN/text.txt', 'tags=@IN/list.json', 'anything:=@IN/list.json'],
      { text: 'from a file\n', tags: ['x', 'y'], anything: ['x', 'y'] },
    ],
    [['text=@@ann', 'anything=a=b:=c'], { text: '@ann', anything: 'a=b:=c' }],
    [['--args', '{"text":"a","count":1}', 'count=2'], { text: 'a', count: 2 }],
  ])('%j', (args, expected) => {
    expect(read(args)).toEqual(expected)
  })

  it('on their way to the server as well, and from stdin', async () => {
    const show = (args: readonly string[], input: string) =>
      perigee(['call', 'show', ...args, ...CURIOUS], input, folder)
    expect((await show(['count=1', 'text=@-'], 'typed\n')).stdout).toBe('{"count":1,"text":"typed\\n"}\n')
    expect((await show(['--args', '@-'], '{"count":3}')).stdout).toBe('{"count":3}\n')
    expect(await show(['count=x'], '')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'perigee: count: expected integer, got "x". JSON is given as count:=…\n',
    })
  })

  it.each<[readonly string[], string]>([
    [['count=x'], 'count: expected integer, got "x". JSON is given as count:=…'],
    [['flag=yes'], 'flag: expected boolean, got "yes"'],
    [['count=9007199254740993'], 'count: 9007199254740993 is too large to be sent exactly'],
    [['nested={"a"'], 'nested: expected JSON, got "{\\"a\\""'],
    [['count=1', 'count=2'], 'count: it is no list, and was given 2 times'],
    [['txet=a'], 'there is no argument txet. Did you mean text?'],
    [['text:=a'], 'text: expected JSON, got "a"'],
    [['text'], 'expected name=value, name:=JSON or name=@file, got "text"'],
    [['=x'], 'expected name=value, name:=JSON or name=@file, got "=x"'],
    [['text=@nowhere'], 'text: "nowhere" cannot be read'],
    [['--args', '[1]'], 'args: expected a JSON object, got "[1]"'],
    [['--args', '{'], 'args: expected JSON, got "{"'],
  ])('%j is refused in a sentence', (args, sentence) => {
    expect(() => read(args)).toThrow(expect.objectContaining({ message: expect.stringContaining(sentence) }))
    expect(() => read(args)).toThrow(UsageError)
  })
})

describe('what is answered', () => {
  it.each(REVISIONS.map(({ id }) => id))('comes in revision %s', async (revision) => {
    const line = ['call', 'show', 'count=2', '--revision', revision, ...CURIOUS]
    expect(await perigee(line)).toEqual({ status: 0, stdout: '{"count":2}\n', stderr: '' })
    expect((await perigee(['ping', '--revision', revision, ...CURIOUS])).stdout).toContain(
      `speaking ${revision}`,
    )
  })

  it('comes from a server of the official SDK', async () => {
    expect(await perigee(['call', 'greet', 'name=Ada', ...OFFICIAL])).toMatchObject({
      status: 0,
      stdout: 'Hello, Ada!\n',
    })
    expect(JSON.parse((await perigee(['call', 'sum', '--json', ...OFFICIAL])).stdout)).toMatchObject({
      structuredContent: { sum: 42 },
    })
    expect((await perigee(['read', 'memo://text', ...OFFICIAL])).stdout).toBe('a memo')
    expect((await perigee(['prompt', 'poem', 'about=rain', ...OFFICIAL])).stdout).toContain(
      'user: Write a poem about rain',
    )
    expect((await perigee(['tools', ...OFFICIAL])).stdout).toContain('greet(name: string)')
    expect((await perigee(['ping', ...OFFICIAL])).stdout).toContain('sdk 1.0.0 answers in')
  })

  it('comes over HTTP, to those who say who they are', async () => {
    const key = ['--url', http.url, '--header', 'Authorization: Bearer a-long-secret']
    expect(await perigee(['call', 'add', 'a=2', 'b=40', ...key])).toMatchObject({ status: 0, stdout: '42\n' })
    expect(await perigee(['call', 'add', 'a=2', 'b=40', '--url', http.url])).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('Say who you are with --header "Authorization: Bearer …"'),
    })
  })

  it('is a line where it has none but structured content, and told of where it is no text', async () => {
    expect((await perigee(['call', 'structured', ...CURIOUS])).stdout).toBe('{\n  "sum": 42\n}\n')
    expect((await perigee(['call', 'picture', ...CURIOUS])).stdout).toBe('[image: image/png, 3 bytes]\n')
  })

  it('is exact where a program reads it', async () => {
    expect((await perigee(['read', 'memo://text', ...CURIOUS])).stdout).toBe('two\nlines')
    expect((await perigee(['read', 'memo://bytes', ...CURIOUS])).stdout).toBe('\u0000\ufffd\n\ufffd')
    expect((await perigee(['call', 'hostile', ...CURIOUS])).stdout).toContain('\u001b[31m')
  })

  it('says what there is', async () => {
    expect((await perigee(['tools', 'show', ...CURIOUS])).stdout).toContain(
      '  level: 1 | 2 | "high", optional\n',
    )
    expect(JSON.parse((await perigee(['tools', '--json', ...CURIOUS])).stdout)).toHaveLength(13)
    expect((await perigee(['read', ...CURIOUS])).stdout).toContain('memo://bytes\n  bytes')
    expect((await perigee(['prompt', ...CURIOUS])).stdout).toBe('poem(about)\n  A poem\n')
    expect(JSON.parse((await perigee(['ping', '--json', ...CURIOUS])).stdout)).toMatchObject({
      server: { name: 'curious' },
      revision: '2026-07-28',
    })
  })
})

describe('what goes wrong', () => {
  it('in a tool is told on stderr, and ends with 1', async () => {
    expect(await perigee(['call', 'fail', ...CURIOUS])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'perigee: fail failed: no luck\n',
    })
    const { status, stdout } = await perigee(['call', 'fail', '--json', ...CURIOUS])
    expect([status, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ isError: true })])
  })

  it('and wants a page visited first is told with its address', async () => {
    const answers = {
      initialize: {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'walled', version: '1' },
        },
      },
      'resources/read': {
        error: {
          code: -32042,
          message: 'Sign in',
          data: { elicitations: [{ mode: 'url', url: 'https://id.example.com/in', message: 'Please' }] },
        },
      },
    }
    const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      const answer = ${JSON.stringify(answers)}[method] ?? { error: { code: -32601, message: 'what?' } }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })`
    expect(await perigee(['read', 'memo://x', '--', process.execPath, '-e', script])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('answers: Sign in (-32042). Visit first: https://id.example.com/in\n'),
    })
  })

  it('is not that a server has nothing of the kind', async () => {
    const bare = await serveHttp(defineServer({ name: 'bare', version: '1.0.0' }))
    try {
      const ask = (...args: readonly string[]) => perigee([...args, '--url', bare.url])
      expect(await ask('tools')).toEqual({ status: 0, stdout: '', stderr: 'bare has no tools\n' })
      expect(await ask('read')).toEqual({ status: 0, stdout: '', stderr: 'bare has no resources\n' })
      expect(await ask('prompt')).toEqual({ status: 0, stdout: '', stderr: 'bare has no prompts\n' })
      expect((await ask('call', 'x')).stderr).toBe('perigee: there is no tool x. The server has no tools\n')
    } finally {
      await bare.close(0)
    }
  })

  it('at the server is told with its code, and ends with 1', async () => {
    const missing = await perigee(['read', 'memo://none', ...CURIOUS])
    expect(missing).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/curious.* answers: .*\(-32\d+\)\n$/),
    })
    const { stdout } = await perigee(['read', 'memo://none', '--json', ...CURIOUS])
    expect(JSON.parse(stdout)).toEqual({ error: expect.objectContaining({ code: expect.any(Number) }) })
  })

  it.each<[readonly string[], string]>([
    [['call', 'shwo'], 'there is no tool shwo. Did you mean show?'],
    [['call', 'nothing'], 'there is no tool nothing. Expected: show, free, fail'],
    [['tools', 'shwo'], 'there is no tool shwo. Did you mean show?'],
    [['prompt', 'peom'], 'there is no prompt peom. Did you mean poem?'],
    [['prompt', 'poem', 'about:=1'], 'about: prompts take text alone: write about=…, and not about:=…'],
    [['tools', '--jsno'], 'there is no option --jsno. Did you mean --json? See --help'],
    [
      ['call', 'show', '--revision', '2025-06-19'],
      'revision: there is no revision 2025-06-19. Expected one of 2024-11-05',
    ],
    [['call', 'show', '--timeout', '0'], 'timeout: expected seconds, up to 86400, got "0"'],
    [['call', 'show', '--header', 'x'], '--header is for a server at a URL: leave it out'],
    [
      ['call', 'show', '--env', 'NOT_SET_AT_ALL'],
      'env: NOT_SET_AT_ALL is not set here. Say NOT_SET_AT_ALL=VALUE',
    ],
    [['call', 'show', '--root', '/no/such'], 'root: expected a folder, got "/no/such"'],
    [['call', 'show', '--log', 'loud'], 'log: expected one of debug, info'],
    [['call', 'a=1'], 'which tool? Expected perigee call TOOL'],
    [['ping', 'a'], 'expected no more words, got a'],
    [['read', 'a', 'b'], 'expected one URI at most, got a, b'],
  ])('%j is a mistake of whoever typed it: 2', async (args, sentence) => {
    const { status, stdout, stderr } = await perigee([...args, ...CURIOUS])
    expect(stderr).toContain(`perigee: ${sentence}`)
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
  })

  it.each<[readonly string[], string]>([
    [['ping'], 'which server? Add --url URL, or -- and the command that starts it'],
    [['ping', '--url', 'http://x', '--', 'y'], 'expected one server, --url URL or -- COMMAND, got both'],
    [['x:ann:secret@h'], 'there is no command x:[redacted]@h.'],
    [
      ['gateway', 'login', 'http://ann:secret@h:bad'],
      'expected an address such as https://example.com/mcp, got "http://[redacted]@h:bad"',
    ],
    [['ping', '--url', 'ftp://x'], 'url: expected an address such as https://mcp.example.com/mcp'],
    [
      ['ping', '--url', 'http://x', '--header', 'X-Key hunter2'],
      'header: expected "Name: value", got 13 characters that have no colon\n',
    ],
    [
      ['ping', '--url', 'http://x', '--header', 'X Key: hunter2'],
      'header: expected "Name: value", got 14 characters that begin with no name of a header\n',
    ],
    [
      ['ping', '--url', 'http://ann:sec/ret@h:1/mcp'],
      'url: expected an address such as https://mcp.example.com/mcp or unix:/run/notes.sock, got "http://[redacted]@h:1/mcp"',
    ],
    [
      ['serve', '--store', 'foo:bar'],
      'store: expected redis://HOST, postgres://USER:PASSWORD@HOST/DATABASE, sqlite:PATH or memory:',
    ],
    [['ping', '--url', 'http://x', '--cwd', '.'], '--cwd is for a command, after --: leave it out'],
    [['cal', 'x'], 'there is no command cal. Did you mean call?'],
  ])('%j is one as well', async (args, sentence) => {
    const { status, stdout, stderr } = await perigee(args)
    expect(stderr).toContain(`perigee: ${sentence}`)
    expect([status, stdout]).toEqual([2, ''])
  })

  it.each<[string, readonly string[], string]>([
    ['a command that is not there', ['no-such-command-at-all'], 'there is no such command'],
    ['a command that may not be run', [import.meta.dirname], 'the command may not be run'],
    [
      'one that ends at once',
      ['sh', '-c', 'echo no configuration >&2; exit 3'],
      'The server ended (sh: 3). It said: no configuration',
    ],
    ['one that prints and ends', ['echo', 'hello'], 'It said what is no MCP'],
  ])('%s cannot be reached: 3', async (_name, command, sentence) => {
    const { status, stdout, stderr } = await perigee(['ping', '--', ...command])
    expect(stderr).toContain(sentence)
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([3, '', 1])
  })

  it('over HTTP: nobody there, and somebody who speaks something else', async () => {
    const closed = await serveHttp(defineServer({ name: 'gone', version: '1' }))
    await closed.close(0)
    expect((await perigee(['ping', '--url', closed.url])).status).toBe(3)
    expect((await perigee(['ping', '--url', new URL('/nothing', http.url).href])).status).toBe(3)
  })

  it.each<[string, readonly string[], string]>([
    ['says nothing', ['sleep', '30'], 'sleep 30 said nothing for 0.5 s; --timeout SECONDS gives it longer'],
    ['says something else', ['sh', '-c', 'echo hello; sleep 30'], 'It said what is no MCP: Parse error'],
  ])('who %s is not waited for: 4', async (_name, command, sentence) => {
    expect(await perigee(['ping', '--timeout', '0.5', '--', ...command])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(sentence),
    })
  })

  it('is no stack where nobody reads what is printed', async () => {
    const line = [process.execPath, PERIGEE, 'tools', '--json', ...CURIOUS]
      .map((word) => `'${word}'`)
      .join(' ')
    const child = spawn('sh', ['-c', `${line} | true`], { stdio: ['ignore', 'ignore', 'pipe'] })
    expect(await text(child.stderr)).toBe('')
  })
})

describe('what a server asks where nobody sits at a terminal', () => {
  it.each(['2025-11-25', '2026-07-28'])('is refused with what would help, in %s', async (revision) => {
    const ask = (tool: string, ...more: readonly string[]) =>
      perigee(['call', tool, '--revision', revision, ...more, ...CURIOUS])
    const form = await ask('form')
    expect([form.status, form.stdout]).toEqual([1, ''])
    expect(form.stderr).toContain('It has a question: run it at a terminal')
    expect((await ask('joke')).stderr).toContain('It asks for a model, which perigee does not have')
    expect((await ask('folders')).stderr).toContain('Name folders with --root DIR')
    expect((await ask('folders', '--root', '/tmp')).stdout).toContain('{"uri":"file:///tmp"}')
  })
})

describe('what a command gets', () => {
  it('is little of the environment, and what --env names', async () => {
    process.env['PERIGEE_TEST_SECRET'] = 'hush'
    const print = [
      '--',
      'sh',
      '-c',
      'echo "secret: $PERIGEE_TEST_SECRET, other: $OTHER, in $PWD" >&2; exit 1',
    ]
    try {
      expect((await perigee(['ping', ...print])).stderr).toContain('secret: , other: ,')
      const named = ['--env', 'PERIGEE_TEST_SECRET', '--env', 'OTHER=a=b', '--cwd', folder]
      expect((await perigee(['ping', ...named, ...print])).stderr).toContain(
        `secret: hush, other: a=b, in ${folder}`,
      )
    } finally {
      delete process.env['PERIGEE_TEST_SECRET']
    }
  })

  it('is shown with --stderr', async () => {
    const noisy = ['--', 'sh', '-c', `echo noise >&2; exec "$0" "$1"`, ...CURIOUS.slice(1)]
    expect((await perigee(['call', 'free', ...noisy])).stderr).toBe('')
    expect((await perigee(['call', 'free', '--stderr', ...noisy])).stderr).toBe('noise\n')
  })

  it('is what it logs with --log, on stderr', async () => {
    for (const revision of ['2025-06-18', '2026-07-28']) {
      const line = ['call', 'climb', '--revision', revision]
      expect(await perigee([...line, ...CURIOUS])).toEqual({ status: 0, stdout: 'up\n', stderr: '' })
      expect((await perigee([...line, '--log', 'info', ...CURIOUS])).stderr).toContain(
        'warning: curious: steep\n',
      )
      expect((await perigee([...line, '--log', 'error', ...CURIOUS])).stderr).toBe('')
    }
  })
})
