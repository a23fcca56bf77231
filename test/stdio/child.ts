import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import type { ServeStdioOptions } from '../../src/transports/stdio/index.ts'
import { Inbox } from '../setup/inbox.ts'

/** Skips a test where nothing tells how much memory a process has had. */
export function needProc({ skip }: TestContext): void {
  skip(process.platform !== 'linux', 'only Linux tells in /proc how much a process keeps')
}

export type Heard = { readonly [key: string]: unknown } & {
  readonly id?: string | number | null
  readonly method?: string
  readonly result?: { readonly [key: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

export interface ChildOptions {
  readonly script?: string
  readonly settings?: ServeStdioOptions
  readonly env?: { readonly [name: string]: string }
  /** A client that does not read until `read` is called. */
  readonly reading?: 'at-once' | 'later'
}

/** A server process and the bare bytes it takes and gives. It never outlives the test that disposes of it. */
export class Child implements AsyncDisposable {
  readonly process: ChildProcessWithoutNullStreams
  /** How the process ended: its code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
  /** The chunks in which its output came. */
  readonly chunks: Buffer[] = []
  readonly #messages = new Inbox<Heard>()
  /** When nothing more can come from it, on stderr either. */
  readonly closed: Promise<unknown>
  #stderr = ''

  constructor({
    script = 'stdio-server.mjs',
    settings = {},
    env = {},
    reading = 'at-once',
  }: ChildOptions = {}) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, script)], {
      env: { ...process.env, ...env, STDIO: JSON.stringify(settings) },
    })
    this.closed = once(this.process, 'close')
    this.ended = once(this.process, 'exit').then(([code, signal]) => code ?? signal)
    this.process.stdin.on('error', () => {}) // Whoever has ended takes no more input.
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    if (reading === 'at-once') this.read()
  }

  get stderr(): string {
    return this.#stderr
  }

  read(): void {
    let pending: Buffer[] = []
    this.process.stdout.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk)
      pending.push(chunk)
      if (!chunk.includes(10)) return
      const lines = Buffer.concat(pending).toString().split('\n')
      pending = [Buffer.from(lines.pop() ?? '')]
      for (const line of lines) this.#messages.push(JSON.parse(line))
    })
    this.process.stdout.on('end', () => this.#messages.end())
  }

  write(bytes: string | Uint8Array): void {
    this.process.stdin.write(bytes)
  }

  say(...messages: readonly object[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  }

  next(): Promise<Heard | undefined> {
    return this.#messages.next()
  }

  /** The answer to this id; whatever comes before it is dropped. */
  async answer(id: string | number): Promise<Heard> {
    for (let heard = await this.next(); heard !== undefined; heard = await this.next()) {
      if (heard.id === id) return heard
    }
    throw new Error(`no answer to ${id}; stderr: ${this.#stderr}`)
  }

  /** Everything up to the end of its output. */
  async rest(): Promise<Heard[]> {
    const all: Heard[] = []
    for (let heard = await this.next(); heard !== undefined; heard = await this.next()) all.push(heard)
    return all
  }

  /** The most memory it has had so far, in MiB. */
  peakMemory(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill('SIGKILL')
    this.process.stdout.destroy()
    this.process.stderr.destroy()
    await this.closed
  }
}

export const OPENING = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
] as const

export function ping(id: string | number): object {
  return { jsonrpc: '2.0', id, method: 'ping' }
}

export function call(id: string | number, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

export function textOf(heard: Heard): unknown {
  const content = heard.result?.['content'] as readonly { readonly text?: string }[] | undefined
  return content?.[0]?.text
}
