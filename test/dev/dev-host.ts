import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../src/kernel/index.ts'
import { LineProcess } from '../setup/process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
export const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

/** A project in which the package is installed. */
export class Project {
  readonly folder: string

  constructor() {
    const cache = join(ROOT, '.cache')
    mkdirSync(cache, { recursive: true })
    this.folder = mkdtempSync(join(cache, 'dev-'))
    this.save('package.json', '{ "type": "module" }')
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(ROOT, join(this.folder, 'node_modules', 'perigee'))
  }

  /** Puts a file in its place in one step, so that one save is one change however slow the machine is. */
  save(name: string, text: string): void {
    const file = join(this.folder, name)
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A file that exports a server with some tools, each given by its name and the body of its function. */
export function serverFile(tools: { readonly [name: string]: string }, more = ''): string {
  const defined = Object.entries(tools).map(
    ([name, body]) => `defineTool({ name: '${name}', run: async (_args, call) => { ${body} } })`,
  )
  return `import { defineServer, defineTool, elicit, Needs } from 'perigee'
export default defineServer({ name: 'worked-on', version: '1.0.0', tools: [${defined.join(', ')}], ${more} })
`
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export interface Heard extends JsonObject {
  readonly id?: number | string
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string }
}

/** A line of a recording. */
export interface RecordedLine {
  readonly time: string
  readonly connection: string
  readonly direction: 'in' | 'out'
  readonly message: Heard
}

/** Something that can be waited for. */
abstract class Patient {
  abstract look(): void
  abstract get stderr(): string

  /** Waits until stderr has said something so many times. */
  async says(words: string | RegExp, times = 1): Promise<void> {
    const pattern = new RegExp(words, 'g')
    await this.until(() => ((this.stderr.match(pattern)?.length ?? 0) >= times ? true : undefined))
  }

  async until<Value>(find: () => Value | undefined): Promise<Value> {
    for (let waited = 0; waited < 20_000; waited += 5) {
      this.look()
      const found = find()
      if (found !== undefined) return found
      await sleep(5)
    }
    throw new Error(`waited in vain; ${JSON.stringify(this)}; stderr: ${this.stderr}`)
  }
}

/** A host on a pipe: what it hears is kept in the order in which it came. */
export class PipeHost extends Patient {
  readonly heard: Heard[] = []
  readonly #process: LineProcess
  #lastId = 0

  /** A file is served by `perigee dev`; another script is called with the arguments alone. */
  constructor(
    project: Project,
    args: readonly string[] = [],
    serves: string | { readonly script: string } = './server.mjs',
  ) {
    super()
    const [script, words] =
      typeof serves === 'string' ? [PERIGEE, ['dev', serves, ...args]] : [serves.script, args]
    this.#process = new LineProcess(script, { args: words, cwd: project.folder })
  }

  get stderr(): string {
    return this.#process.stderr
  }

  send(message: JsonObject): void {
    this.#process.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async initialize(protocolVersion = '2025-11-25', capabilities: JsonObject = {}): Promise<Heard> {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'host', version: '1' } }
    const answer = await this.request('initialize', params)
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  /** Sends a request and gives its id. */
  ask(method: string, params?: JsonObject): number {
    const id = ++this.#lastId
    this.send({ id, method, ...(params !== undefined && { params }) })
    return id
  }

  request(method: string, params?: JsonObject): Promise<Heard> {
    return this.answer(this.ask(method, params))
  }

  answer(id: number): Promise<Heard> {
    return this.hears((message) => message.id === id && message.method === undefined)
  }

  /** Calls a tool and gives the text of its result. */
  async call(name: string): Promise<unknown> {
    const answer = await this.request('tools/call', { name, arguments: {} })
    return textOf(answer)
  }

  notices(method: string): readonly Heard[] {
    return this.heard.filter((message) => message.method === method && message.id === undefined)
  }

  /** Waits for a message, which may have come already. */
  async hears(wanted: (message: Heard) => boolean): Promise<Heard> {
    return this.until(() => this.heard.find(wanted))
  }

  async end(): Promise<number | NodeJS.Signals | null> {
    const code = await this.#process.end()
    this.look()
    return code
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.signal(signal)
  }

  kill(): Promise<void> {
    return this.#process.kill()
  }

  look(): void {
    for (const line of this.#process.lines.takeAll()) this.heard.push(JSON.parse(line))
  }
}

/** Events that a client hears on one answer. */
class HeardStream extends Patient {
  readonly heard: Heard[] = []
  isOpen = true
  readonly stderr = ''

  readonly status: number

  constructor({ body, status }: Response) {
    super()
    this.status = status
    if (body === null) throw new Error('there is no stream')
    this.#read(body).catch(() => {}) // It is broken off when the test is over.
  }

  look(): void {}

  override until<Value>(find: (stream: this) => Value | undefined): Promise<Value> {
    return super.until(() => find(this) || undefined)
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let begun = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const events = `${begun}${text}`.split('\n\n')
      begun = events.pop() ?? ''
      for (const event of events) {
        const data = event.split('\n').find((line) => /^data: ./.test(line))
        if (data !== undefined) this.heard.push(JSON.parse(data.slice(6)))
      }
    }
    this.isOpen = false
  }
}

/** A host over HTTP: in the newest revision until it has initialized, and in a session from then on. */
export class PortHost extends Patient {
  readonly meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  readonly #process: LineProcess
  readonly #calls = new AbortController()
  /** What it has printed. */
  welcome = ''
  #session: string | undefined
  #url = ''
  #lastId = 100

  constructor(project: Project, args: readonly string[] = []) {
    super()
    const port = args.includes('--port') ? [] : ['--port', '0']
    this.#process = new LineProcess(PERIGEE, {
      args: ['dev', './server.mjs', '--http', ...port, ...args],
      cwd: project.folder,
    })
  }

  get stderr(): string {
    return this.#process.stderr
  }

  get port(): number {
    return Number(new URL(this.#url).port)
  }

  look(): void {
    for (const line of this.#process.lines.takeAll()) {
      this.welcome += `${line}\n`
      this.#url ||= /listening at (\S+)/.exec(line)?.[1] ?? ''
    }
  }

  async listening(): Promise<void> {
    await this.until(() => this.#url || undefined)
  }

  async initialize(capabilities: JsonObject = {}): Promise<void> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'host', version: '1' } }
    const response = await this.#send({ id: 1, method: 'initialize', params })
    this.#session = response.headers.get('mcp-session-id') ?? undefined
    await response.text()
    await this.post({ method: 'notifications/initialized' })
  }

  /** Posts a message and gives its answer, if it has one. */
  async post(message: JsonObject): Promise<Heard> {
    const response = await this.#send(message)
    const text = await response.text()
    const data = /^data: (.+)$/m.exec(text.slice(text.lastIndexOf('data: ')))?.[1]
    return text === '' ? {} : JSON.parse(data ?? text)
  }

  async call(name: string): Promise<unknown> {
    const own = this.#session === undefined ? { _meta: this.meta } : {}
    const params = { ...own, name, arguments: {} }
    return textOf(await this.post({ id: ++this.#lastId, method: 'tools/call', params }))
  }

  async listen(method: 'GET' | 'POST', message?: JsonObject): Promise<HeardStream> {
    const sends = method === 'POST' && message !== undefined
    return new HeardStream(sends ? await this.#send(message) : await this.#request({ method }))
  }

  /** What a page of the console is told. */
  async openConsole(key: string): Promise<HeardStream> {
    const headers = { authorization: `Bearer ${key}` }
    const { signal } = this.#calls
    return new HeardStream(await fetch(new URL('/console/events?after=0', this.#url), { headers, signal }))
  }

  /** What the console exports, a line each. */
  async recording(key: string): Promise<readonly RecordedLine[]> {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(new URL('/console/recording', this.#url), { headers })
    const text = await response.text()
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  /** Whether somebody with these headers may list tools. */
  fetch(headers: { readonly [name: string]: string }): Promise<{ readonly status: number | undefined }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: this.meta } })
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, {
        method: 'POST',
        headers: { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', ...headers },
      })
      sent.on('response', (response) => resolve({ status: response.resume().statusCode })).on('error', reject)
      sent.end(body)
    })
  }

  stop(): Promise<number | NodeJS.Signals | null> {
    this.#calls.abort()
    this.#process.signal('SIGTERM')
    return this.#process.end()
  }

  exit(): Promise<number | NodeJS.Signals | null> {
    return this.#process.end()
  }

  kill(): Promise<void> {
    this.#calls.abort()
    return this.#process.kill()
  }

  #send(message: JsonObject): Promise<Response> {
    const { method, params } = message as Heard
    const named = this.#session === undefined && method !== undefined && method !== 'initialize'
    return this.#request({
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: {
        ...(named && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }),
        ...(named && params?.['name'] !== undefined && { 'mcp-name': String(params['name']) }),
      },
    })
  }

  #request(init: { method: string; body?: string; headers?: { [name: string]: string } }): Promise<Response> {
    const session =
      this.#session === undefined
        ? {}
        : { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-11-25' }
    const accept = init.method === 'GET' ? { accept: 'text/event-stream' } : HEADERS
    return fetch(this.#url, {
      ...init,
      signal: this.#calls.signal,
      headers: { ...accept, ...session, ...init.headers },
    })
  }
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export function textOf({ result }: Heard): unknown {
  const content = result?.['content'] as readonly { readonly text?: string }[] | undefined
  return content?.[0]?.text
}
