import { createHook } from 'node:async_hooks'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type JsonObject, META, NEWEST, parse, print } from '../../src/kernel/index.ts'
import { LineProcess } from '../setup/process.ts'
import { receive } from '../setup/receive.ts'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
}

const request = (id: number, method: string, params: JsonObject) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** What a function that answers at once leaves for later: async resources by kind, and AbortControllers. */
function countLeftovers(run: () => void): { readonly [kind: string]: number } {
  const counts: { [kind: string]: number } = {}
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  const { AbortController: Original } = globalThis
  globalThis.AbortController = class extends Original {
    constructor() {
      super()
      count('AbortController')
    }
  }
  const hook = createHook({ init: (_id, type) => count(type) }).enable()
  try {
    run()
  } finally {
    hook.disable()
    globalThis.AbortController = Original
  }
  return counts
}

describe('a synchronous tool call', () => {
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [
      {
        name: 'echo',
        input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
        run: ({ message }: { message: string }) => message,
      },
    ],
  })
  const sent: unknown[] = []

  function open(before: readonly string[]) {
    const link = server.open({ outlet: { send: (message) => sent.push(message) } })
    for (const text of before) void receive(link, parse(text))
    return (text: string) => {
      const reply = receive(link, parse(text))
      return reply === undefined || reply instanceof Promise ? 'later' : print(reply)
    }
  }

  const params = { name: 'echo', arguments: { message: 'hello' } }
  const meta = {
    [META.protocolVersion]: NEWEST.id,
    [META.clientInfo]: { name: 'c', version: '1' },
    [META.clientCapabilities]: {},
  }
  const CALLS = [
    { era: 'after a handshake', before: [request(0, 'initialize', INITIALIZE)], params },
    { era: 'without a handshake', before: [], params: { ...params, _meta: meta } },
  ]

  it.each(CALLS)(
    'leaves no promise, timer, microtask or AbortController behind, $era',
    ({ before, params }) => {
      const receive = open(before)
      // The first call compiles the schema.
      receive(request(1, 'tools/call', params))
      let answer = ''
      const leftovers = countLeftovers(() => {
        answer = receive(request(2, 'tools/call', params))
      })
      expect(answer).toContain('"text":"hello"')
      expect(leftovers).toEqual({})
    },
  )

  it('would be noticed if it did', () => {
    const leftovers = countLeftovers(() => {
      void Promise.resolve()
      clearTimeout(setTimeout(() => {}))
      queueMicrotask(() => {})
      new AbortController()
    })
    expect(leftovers).toMatchObject({ PROMISE: 1, Timeout: 1, Microtask: 1, AbortController: 1 })
  })
})

describe('what a call makes', () => {
  /** Parsed and printed, with the JIT off, so that it is the same every time. */
  const MOST_BYTES = { handshake: 2000, alone: 2700, once: 2900 }

  it('is little, and V8 knows its shapes', () => {
    const script = join(import.meta.dirname, 'shapes.mjs')
    const flags = ['--no-opt', '--allow-natives-syntax']
    const { stdout } = spawnSync(process.execPath, [...flags, script], { encoding: 'utf8' })
    const { bytes, alike, unlike } = JSON.parse(stdout)
    expect(bytes.handshake).toBeGreaterThan(100)
    expect(bytes.handshake).toBeLessThan(MOST_BYTES.handshake)
    expect(bytes.alone).toBeLessThan(MOST_BYTES.alone)
    expect(bytes.once).toBeLessThan(MOST_BYTES.once)
    expect(alike).toEqual({ handshake: true, alone: true, headers: true })
    expect(unlike).toBe(false)
  })
})

describe('the first answer on stdio', () => {
  /** V8 reads all of it before the first answer: a twentieth of a second for a megabyte, on a slow machine. */
  const MOST_CODE = { hello: 200_000, ccmcp: 360_000 }

  const UNNEEDED = /^(https?|http2|_http_server|tls|internal\/crypto\/webcrypto|timers\/promises)$/

  it.each([
    {
      server: 'a server of ten lines',
      script: join(import.meta.dirname, 'hello.mjs'),
      most: 5,
      code: MOST_CODE.hello,
      parts: [],
    },
    {
      server: 'ccmcp',
      script: join(DIST, 'cli', 'bin', 'ccmcp.js'),
      most: 11,
      code: MOST_CODE.ccmcp,
      parts: ['telemetry', 'kept'],
    },
  ])(
    'of $server waits for few files, and for nothing that it does not need',
    async ({ script, most, code, parts }) => {
      const { files, builtins } = await loadedBeforeAnswer(script)
      if (parts.length === 0) expect(builtins).not.toContain('perf_hooks')
      expect(files.length).toBeGreaterThan(1)
      expect(files.length).toBeLessThanOrEqual(most)
      expect(files.filter((file) => /node_modules/.test(file))).toEqual([])
      expect(sizeOf(files.filter((file) => file.includes('/dist/')))).toBeLessThan(code)
      expect(files.flatMap((file) => /(\w+)\.cjs$/.exec(file)?.[1] ?? [])).toEqual(parts)
      expect(builtins.filter((name) => UNNEEDED.test(name))).toEqual([])
    },
  )
})

describe('what a small server calls before its first answer', () => {
  it('has been compiled with the file, so that V8 reads it once', () => {
    const script = join(import.meta.dirname, '..', '..', 'scripts', 'first-answer.mjs')
    const [core = ''] = bodyOf(join(DIST, 'parts', 'core.js'))
    const urls = [join(DIST, 'index.js'), core].map((file) => pathToFileURL(file).href)
    const input = `${request(1, 'initialize', INITIALIZE)}\n`
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
    const { stdout } = spawnSync(process.execPath, [script, ...urls], { input, env, encoding: 'utf8' })
    const called = JSON.parse(stdout) as { name: string; startOffset: number }[]
    const text = readFileSync(core, 'utf8')
    const declared = called.filter(({ startOffset }) => text.startsWith('\nfunction ', startOffset - 1))
    expect(called.map(({ name }) => name)).toContain('serveStdio')
    expect(declared).toEqual([])
  })
})

/** With the scripts that some of them run, which no loader sees. */
function sizeOf(urls: readonly string[]): number {
  const files = urls.map((url) => url.replace(/^file:\/\//, ''))
  return [...files, ...files.flatMap(bodyOf)].reduce((sum, file) => sum + statSync(file).size, 0)
}

function bodyOf(file: string): readonly string[] {
  const [, body] = /runBody\(new URL\("(.*?)"/.exec(readFileSync(file, 'utf8')) ?? []
  return body === undefined ? [] : [join(file, '..', body)]
}

interface Loaded {
  readonly files: readonly string[]
  readonly builtins: readonly string[]
}

async function loadedBeforeAnswer(script: string): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-modules-'))
  const hook = pathToFileURL(join(import.meta.dirname, 'count-modules.mjs')).href
  const log = join(folder, 'log')
  const env = { MODULE_LOG: log, NODE_OPTIONS: `--import=${hook}` }
  const child = new LineProcess(script, { env })
  try {
    child.write(`${request(1, 'initialize', INITIALIZE)}\n`)
    await child.lines.next()
    return JSON.parse(readFileSync(`${log}.json`, 'utf8')) as Loaded
  } finally {
    await child.kill()
    rmSync(folder, { recursive: true })
  }
}
