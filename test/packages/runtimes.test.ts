import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { build } from 'vite'
import { expect, it } from 'vitest'
import type { Asked, Message } from '../http/host.ts'
import { call, callModern, INITIALIZED, initialize, modern, textOf } from '../http/messages.ts'
import { findTool, freshFolder, installed } from './installed.ts'

const COMMANDS = {
  bun: ['run'],
  deno: ['run', '--allow-all', '--no-prompt', '--quiet'],
} as const
const missing = installed.missing.tools

it.concurrent.for(['bun', 'deno'] as const)(
  'the fetch handler runs as it is in %s',
  async (runtime, { skip }) => {
    skip(missing !== '', missing)
    await using server = await start(runtime)
    const opened = await server.ask({ body: initialize('2025-11-25') })
    expect(opened.message.result).toMatchObject({ protocolVersion: '2025-11-25' })
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    expect((await server.ask({ headers, body: INITIALIZED })).status).toBe(202)
    const listed = await server.ask({ headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    expect(listed.message.result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]),
    })
    const counted = await server.ask({ headers, body: call(2, 'count', {}, { progressToken: 't' }) })
    expect(counted.messages.map((one) => one.params?.['progress'])).toEqual([1, 2, 3, undefined])
    expect(textOf(counted.messages.at(-1))).toBe('three')
    expect(textOf((await server.ask(callModern('echo', { text: 'hi' }))).message)).toBe('hi')
    const streamed = await server.ask(callModern('count', {}, { meta: { progressToken: 't' } }))
    expect(streamed.messages).toHaveLength(4)
    expect((await server.ask(callModern('echo', {}))).status).toBe(200)
    expect((await server.ask(modern('ping'))).status).toBe(404)
    expect((await server.ask({ headers: { 'content-type': 'text/plain' }, body: {} })).status).toBe(415)
    expect((await server.ask({ headers: { origin: 'https://evil.example' }, body: {} })).status).toBe(403)
    expect((await server.ask({ method: 'DELETE', headers })).status).toBe(204)
  },
)

it.concurrent.for(['bun', 'deno', 'workerd'] as const)(
  'tools of JSON Schema, zod, valibot and arktype answer in %s',
  async (runtime, { skip }) => {
    skip(missing !== '', missing)
    await using server = runtime === 'workerd' ? await startWorker() : await start(runtime)
    for (const name of ['json-schema', 'zod', 'valibot', 'arktype']) {
      const fits = await server.ask(callModern(name, { name: 'anna-lena' }))
      expect([name, textOf(fits.message)]).toEqual([name, 'hello anna-lena'])
      const wrong = await server.ask(callModern(name, { name: 5 }))
      expect([name, textOf(wrong.message)]).toEqual([name, expect.stringContaining('name')])
      expect(wrong.message.result).toMatchObject({ isError: true })
    }
  },
)

/** One bundled file in workerd itself, without any compatibility flag. */
async function startWorker() {
  const out = freshFolder('worker')
  await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    build: {
      outDir: out,
      target: 'es2023',
      minify: false,
      lib: { entry: join(import.meta.dirname, 'worker.mjs'), formats: ['es'], fileName: () => 'worker.js' },
    },
  })
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2024-09-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`
  writeFileSync(join(out, 'config.capnp'), config)
  const command = findTool('workerd')
  const child = spawn(command, ['serve', join(out, 'config.capnp'), '--control-fd=3'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const closed = once(child, 'close')
  const control = createInterface(child.stdio[3] as Readable) // A pipe, as asked for.
  const [line] = (await Promise.race([once(control, 'line'), closed])) as [unknown]
  const port = /"port":(\d+)/.exec(String(line))?.[1]
  if (port === undefined) throw new Error(`workerd does not run it: ${errors}`)
  return {
    ask: (asked: Asked) => ask(`http://127.0.0.1:${port}/mcp`, asked),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function start(runtime: keyof typeof COMMANDS) {
  const script = join(import.meta.dirname, 'runtime-server.mjs')
  const child = spawn(findTool(runtime), [...COMMANDS[runtime], script])
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const closed = once(child, 'close')
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [unknown]
  const port = /^listening on (\d+)$/.exec(String(line))?.[1]
  if (port === undefined) throw new Error(`${runtime} does not run it: ${errors}`)
  return {
    ask: (asked: Asked) => ask(`http://127.0.0.1:${port}/mcp`, asked),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function ask(url: string, { method = 'POST', headers = {}, body }: Asked) {
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const all = { ...(method === 'POST' && json), ...headers } as { readonly [name: string]: string }
  const response = await fetch(url, {
    method,
    headers: all,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    get message(): Message {
      return JSON.parse(text)
    },
    get messages(): Message[] {
      return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    },
  }
}
