import type { Buffer } from 'node:buffer'
import { type ChildProcess, spawn } from 'node:child_process'
import { isObject, type JsonObject, type Revision } from '../kernel/index.ts'
import { AnswerLines, hasId } from './answer-lines.ts'
import { NoAnswerError, ServerLostError } from './errors.ts'
import type { Load } from './load.ts'
import {
  type BenchRequest,
  FIRST_ID,
  OPENED,
  opening,
  printRequest,
  type ServerMessage,
  tellsFailure,
} from './messages.ts'
import { Ring } from './ring.ts'

export interface StdioOptions {
  readonly command: readonly string[]
  readonly revision: Revision
  readonly env?: { readonly [name: string]: string }
}

export interface FloodOptions {
  readonly asked: BenchRequest
  /** How many calls are under way at once. */
  readonly window: number
  /** How many messages are printed beforehand; large ones need fewer. */
  readonly printed?: number
}

const ANSWER_MS = 20_000

/** A server process, and a client that does as little as it can. */
export class StdioClient {
  readonly #child: ChildProcess
  readonly #revision: Revision
  readonly #exited: Promise<void>
  #hear: (chunk: Buffer) => void = () => {}
  #lost: ((error: Error) => void) | undefined
  #gone: Error | undefined

  constructor({ command, revision, env = {} }: StdioOptions) {
    const [file = '', ...args] = command
    this.#revision = revision
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
    this.#child.stdin?.on('error', () => {}) // Its end is told by `exit`.
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#hear(chunk))
    this.#exited = new Promise((resolve) => {
      const lose = (reason: string) => {
        this.#gone = new ServerLostError(`${command.join(' ')}: ${reason}`)
        this.#lost?.(this.#gone)
        resolve()
      }
      this.#child.on('error', (error) => lose(error.message))
      this.#child.on('exit', (code, signal) => lose(`ended with ${signal ?? `code ${code}`}`))
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Opens the conversation; what comes back is the answer to the first request. */
  async open(): Promise<JsonObject> {
    const result = await this.ask(opening(this.#revision))
    if (this.#revision.opening === 'handshake') this.#write(`${OPENED}\n`)
    return result
  }

  async ask(asked: BenchRequest): Promise<JsonObject> {
    const heard = await this.exchange(asked)
    const answer = heard.find(({ id, method }) => id === FIRST_ID && method === undefined)
    if (answer?.result !== undefined) return answer.result
    throw new Error(`${asked.method}: ${JSON.stringify(answer?.error)}`)
  }

  /** One request and everything heard until there are so many lines. */
  exchange(asked: BenchRequest, lines = 1): Promise<readonly ServerMessage[]> {
    const heard: ServerMessage[] = []
    const cut = new AnswerLines()
    return this.#listen<readonly ServerMessage[]>(
      (chunk, resolve) => {
        cut.feed(chunk, (line) => heard.push(...parseLine(line)))
        const answered = heard.some(({ id, method }) => id === FIRST_ID && method === undefined)
        if (answered && heard.length >= lines) resolve(heard)
      },
      `${printRequest(this.#revision, asked)}\n`,
    )
  }

  /** Keeps so many calls under way until it is stopped. */
  flood({ asked, window, printed = 4096 }: FloodOptions): Load {
    const ring = new Ring(printRequest(this.#revision, asked), printed)
    const write = (bytes: Buffer) => this.#write(bytes)
    const isUnderWay = (id: number) => ring.answer(id)
    const load = { answered: 0, failed: 0, latencies: [] as number[], stop }
    let [under, stopping, sentAt] = [window, false, performance.now()]
    const cut = new AnswerLines()
    let drained: (() => void) | undefined
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject
    })
    lost.catch(() => {}) // Whoever stops the load is told.
    this.#hear = (chunk) => {
      let calls = 0
      const suspicious = tellsFailure(chunk)
      cut.feed(chunk, (line) => {
        if (!hasId(line, isUnderWay)) return // A notice, or something that is no message at all.
        calls++
        if (suspicious && tellsFailure(line)) load.failed++
      })
      if (calls === 0) return
      load.answered += calls
      const now = performance.now()
      if (window === 1) load.latencies.push((now - sentAt) * 1000)
      sentAt = now
      if (!stopping) return ring.take(calls, write)
      under -= calls
      if (under === 0) drained?.()
    }
    function stop(): Promise<void> {
      stopping = true
      const end = new Promise<void>((resolve) => {
        drained = resolve
      })
      return Promise.race([end, lost])
    }
    ring.take(window, write)
    return load
  }

  /** Ends the process: by the end of its input, by a signal if that is not enough. */
  async close(): Promise<void> {
    this.#lost = undefined
    this.#child.stdin?.end()
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 1000)
    await this.#exited
    clearTimeout(late)
  }

  #write(bytes: Buffer | string): void {
    this.#child.stdin?.write(bytes)
  }

  #listen<Result>(
    hear: (chunk: Buffer, resolve: (result: Result) => void) => void,
    text: string,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== undefined) return reject(this.#gone)
      const late = setTimeout(
        () => reject(new NoAnswerError(`no answer in ${ANSWER_MS / 1000} s to ${text.slice(0, 100)}`)),
        ANSWER_MS,
      )
      void this.#exited.then(() => clearTimeout(late))
      this.#lost = reject
      this.#hear = (chunk) =>
        hear(chunk, (result) => {
          clearTimeout(late)
          resolve(result)
        })
      this.#write(text)
    })
  }
}

/** A server may print what is no message; that is its own affair. */
function parseLine(line: Buffer): readonly ServerMessage[] {
  try {
    const message: unknown = JSON.parse(line.toString())
    return isObject(message) ? [message as ServerMessage] : []
  } catch {
    return []
  }
}
