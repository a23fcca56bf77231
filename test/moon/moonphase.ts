import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { JsonObject } from '../../src/kernel/index.ts'

const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'moonphase.js')
export const KEY = 'sesame'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

const running = new Set<Moonphase>()

/** To be called after each test, so that none outlives it. */
export async function killAll(): Promise<void> {
  for (const one of running) await one.kill()
  running.clear()
}

/** The command as users start it. */
export class Moonphase {
  readonly #child
  readonly #exited: Promise<unknown[]>
  stdout = ''
  stderr = ''

  constructor(environment: { readonly [name: string]: string }, args: readonly string[] = ['--port', '0']) {
    this.#child = spawn(process.execPath, [COMMAND, ...args], {
      env: { PATH: process.env['PATH'], ...environment },
    })
    this.#exited = once(this.#child, 'close')
    this.#child.stdout.on('data', (text) => {
      this.stdout += text
    })
    this.#child.stderr.on('data', (text) => {
      this.stderr += text
    })
    running.add(this)
  }

  async url(): Promise<string> {
    while (!/listening at \S+\n/.test(this.stdout)) await once(this.#child.stdout, 'data')
    return /listening at (\S+)/.exec(this.stdout)?.[1] ?? ''
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async code(): Promise<unknown> {
    return (await this.#exited)[0]
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  /** A request, but for what the test leaves out. */
  post(body: JsonObject, headers: Headers = { 'x-api-token': KEY }) {
    return this.send({ jsonrpc: '2.0', id: 1, ...body }, headers)
  }

  /** Any body, as it is. */
  async send(body: unknown, headers: Headers = { 'x-api-token': KEY }) {
    const response = await fetch(await this.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      message: text === '' ? {} : JSON.parse(text),
    }
  }

  newest(method: string, params: JsonObject, name?: string) {
    const headers = {
      'x-api-token': KEY,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    }
    return this.post({ method, params: { ...params, _meta: META } }, headers)
  }
}

type Headers = { readonly [name: string]: string }
