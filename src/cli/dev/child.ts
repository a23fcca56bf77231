import { type ChildProcess, fork } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { HAS_GROUPS, ProcessGroup } from '../../client/wires/process-group.ts'
import type { Store } from '../../kernel/index.ts'
import { CommandError } from '../exit-codes.ts'
import { handOnLines } from '../workers/one-log.ts'
import { type Described, NOTHING } from './described.ts'
import { type FromChild, readMessage, type ToChild } from './messages.ts'
import { StoreDesk } from './shared-store.ts'

export interface ChildOptions {
  readonly args: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly store: Store
  /** A client has asked for the end. */
  readonly ends: () => void
}

/** How much of what it wrote to stderr is kept to say why it has ended. */
const LAST_WORDS = 4000

/** How long after its end its pipes may stay open: a process that it has started may hold them for ever. */
const PIPES_MS = 500

/** How long what it has started may stay after its end, once that has been told to leave. */
const LEFT_MS = 2000

/** How long it may take to say what it offers, before its last word is taken. */
const DESCRIBE_MS = 300

/** A process has ended before it served, and what it wrote to stderr is all there is to say of it. */
export class NotLoaded extends Error {}

let lastNumber = 0

/** A process that serves the file, or waits to be told to. */
export class DevChild {
  readonly number = ++lastNumber
  readonly input: Writable
  readonly output: Readable
  /** How it ended: its code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  /** Resolves when nothing is left of what it has started, either. */
  readonly cleared: Promise<void>
  isGone = false
  /** On which it listens, where it does. */
  socket = ''
  readonly #process: ChildProcess
  /** Is ended when this process is killed, too: code that never waits does not notice that nobody is left to serve. */
  readonly #group: ProcessGroup | undefined
  readonly #desk: StoreDesk
  readonly #warm: Promise<void>
  readonly #ready: Promise<void>
  readonly #ends: () => void
  #described = NOTHING
  #redescribed: (() => void) | undefined
  #becomeWarm = () => {}
  #becomeReady = () => {}
  #fail: (error: Error) => void = () => {}
  #lastWords = ''

  constructor({ args, environment, store, ends }: ChildOptions) {
    this.#process = fork(process.argv[1] ?? '', args, {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      detached: HAS_GROUPS,
    })
    this.#group = HAS_GROUPS ? new ProcessGroup(this.#process.pid) : undefined
    const { stdin, stdout, stderr } = this.#process
    this.#process.once('exit', () => setTimeout(() => this.#letGo(), PIPES_MS).unref())
    if (stdin === null || stdout === null) throw new Error('a child without pipes') // They are asked for above.
    this.input = stdin
    this.output = stdout
    this.#ends = ends
    this.#desk = new StoreDesk(store, (message) => this.tell(message))
    this.#warm = new Promise((resolve) => {
      this.#becomeWarm = resolve
    })
    this.#ready = new Promise((resolve) => {
      this.#becomeReady = resolve
    })
    stdin.on('error', () => {}) // Its end tells.
    handOnLines(stderr, process.stderr)
    stderr?.on('data', (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS)
    })
    this.#process.on('message', (message) => this.#hear(readMessage<FromChild>(message)))
    this.#process.on('error', () => {}) // Whatever it is, its exit follows: what is said to one that has just gone is one.
    this.ended = new Promise((resolve) => {
      this.#process.once('close', (code, signal) => {
        this.isGone = true
        this.#desk.close()
        resolve(signal ?? code ?? 0)
      })
    })
    this.cleared = this.ended.then(() => this.#group?.end(LEFT_MS))
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** What it said last on stderr. */
  get lastWords(): string {
    return this.#lastWords.trim()
  }

  /** What it offered when it was last asked. */
  get described(): Described {
    return this.#described
  }

  /** Has it load the file; resolves when it serves, and rejects with the reason where it does not. */
  async go(withinMs: number, instead?: string): Promise<void> {
    this.#lastWords = ''
    const isFirst = this.number === 1
    this.tell({ perigee: 'go', isFirst, ...(instead !== undefined && { instead }) })
    const fails = new Promise<never>((_resolve, reject) => {
      this.#fail = reject
      void this.ended.then((how) => {
        const words = this.lastWords
        reject(words === '' ? new Error(`it ended at once (${how})`) : new NotLoaded(words))
      })
    })
    await Promise.race([this.#warm, fails])
    let late: NodeJS.Timeout | undefined
    const hangs = new Promise<never>((_resolve, reject) => {
      const reason = `it did not serve within ${withinMs / 1000} s: something in the file, or in what it imports or opens, does not finish`
      late = setTimeout(() => reject(new Error(reason)), withinMs)
    })
    fails.catch(() => {}) // It may have served before.
    try {
      await Promise.race([this.#ready, hangs, fails])
    } catch (error) {
      this.kill()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** What it offers now. */
  async describe(): Promise<Described> {
    await this.hears(DESCRIBE_MS)
    return this.#described
  }

  /** Whether it gives way to what it is told; code that never waits for anything does not. */
  async hears(withinMs: number): Promise<boolean> {
    let late: NodeJS.Timeout | undefined
    const heard = await new Promise<boolean>((resolve) => {
      this.#redescribed = () => resolve(true)
      late = setTimeout(() => resolve(false), withinMs)
      void this.ended.then(() => resolve(false))
      this.tell({ perigee: 'describe' })
    })
    clearTimeout(late)
    return heard
  }

  tell(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message)
  }

  /** One that is told to leave ends by itself what it has started. */
  kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
    if (signal === 'SIGTERM' || this.#group === undefined) this.#process.kill(signal)
    else this.#group.kill(signal)
  }

  #letGo(): void {
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) stream?.destroy()
  }

  #hear(message: FromChild | undefined): void {
    if (message?.perigee === 'ask-store') return void this.#desk.answer(message)
    if (message?.perigee === 'warm') return this.#becomeWarm()
    if (message?.perigee === 'ends') return this.#ends()
    if (message?.perigee === 'failed') return this.#fail(new CommandError(message.code, message.reason))
    if (message === undefined) return
    this.#described = message.described
    if (message.perigee === 'described') return this.#redescribed?.()
    this.socket = message.socket
    this.#becomeReady()
  }
}
