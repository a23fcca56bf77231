import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Console } from '../../console/console.ts'
import type { ConsoleEvent, ConsoleHello, ConsoleState } from '../../console/events.ts'
import { printLine } from '../../console/recording.ts'
import { BUDGETS, type BudgetName } from '../../kernel/index.ts'
import { denyReader } from '../../transports/http/console/pages.ts'
import { EVENT_STREAM_HEADERS, KEEP_ALIVE, printEvent } from '../../transports/http/streams/event-stream.ts'
import type { DevChild } from './child.ts'
import { ChildFeed, FeedNames, type LostRequest } from './child-feed.ts'
import { answerInstead, type ClientExchange, forward, isEventStream, type TakenRequest } from './forward.ts'
import { fieldOf, splitEvents } from './split-events.ts'

interface DevConsoleOptions {
  /** What opens the console of every child. */
  readonly key: string
  /** A name by which children may be called. */
  readonly host: () => string
}

type Greeting = Omit<ConsoleHello, 'type' | 'time' | 'run'>

const NOT_YET = { status: 503, error: 'The server has not begun yet' }

/** A child's stream that is read, and when that is over. */
interface FollowedChild {
  readonly feed: ChildFeed
  readonly over: Promise<void>
}

/** How long the next child may take to say whose console it is. */
const GREET_MS = 5000

/** Children whose last words may still come. */
const MOST_FOLLOWED = 20

/** How long a child that goes on may take to tell of a request before it counts as untold. */
const LAST_WORDS_MS = 1000

/** How often it is looked whether all has come that a child has told. */
const LOOK_MS = 5

const KEEP_ALIVE_MS = 15_000

/** What is to be seen of a file that is being worked on: children go, and what passed at them is kept here. */
export class DevConsole {
  readonly #options: DevConsoleOptions
  readonly #names = new FeedNames()
  readonly #followed = new Map<number, FollowedChild>()
  readonly #console: Console
  #hello: Greeting | undefined
  #state: ConsoleState = { type: 'state', sessions: [], nodes: [], usage: {} }
  #current: ChildFeed | undefined

  constructor(options: DevConsoleOptions) {
    this.#options = options
    this.#console = new Console({
      limits: this.#limits(),
      clock: { now: Date.now, randomId: randomUUID, after },
      hello: () => this.#hello as Greeting, // Nobody reads before it is there.
      state: () => ({ ...this.#state, usage: { ...this.#state.usage, ...this.#usage() } }),
    })
  }

  /** Reads what a child tells, from its beginning to its end; resolves when that has begun. */
  async follow(child: DevChild): Promise<void> {
    const asked: TakenRequest = {
      method: 'GET',
      path: '/console/events?after=0',
      headers: ['Host', this.#options.host(), 'Authorization', `Bearer ${this.#options.key}`],
      body: Buffer.alloc(0),
      session: undefined,
      asks: [],
    }
    const upstream = await forward(child, asked).catch(() => undefined) // It has ended, which is told elsewhere.
    if (upstream === undefined || !isEventStream(upstream)) return void upstream?.destroy()
    await this.#read(upstream, child)
  }

  /** Answers pages that a child has let in, where what they ask for is kept here. */
  answer(
    child: DevChild,
    { taken, response }: ClientExchange,
    upstream: IncomingMessage,
  ): Promise<void> | undefined {
    const { statusCode = 502 } = upstream
    if (statusCode === 200 && isFor('recording', taken)) return this.#export(child, response, upstream)
    // A child may be full because it is read from here.
    if (![200, 429].includes(statusCode) || !isFor('events', taken)) return undefined
    upstream.destroy()
    this.#show(response, taken.path)
    return Promise.resolve()
  }

  async #export(child: DevChild, response: ServerResponse, upstream: IncomingMessage): Promise<void> {
    const feed = this.#followed.get(child.number)?.feed
    const last = Number(upstream.headers.etag?.replaceAll('"', ''))
    for (let waited = 0; feed !== undefined && feed.last < last && waited < GREET_MS; waited += LOOK_MS)
      await sleep(LOOK_MS)
    answerInstead(response, upstream, this.#console.messages.after(0).map(printLine).join(''))
  }

  #show(response: ServerResponse, path: string): void {
    const denial = this.#hello === undefined ? NOT_YET : denyReader(this.#console)
    if (denial !== undefined) {
      response.writeHead(denial.status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      return void response.end(JSON.stringify({ error: denial.error }))
    }
    response.writeHead(200, EVENT_STREAM_HEADERS)
    this.#tell(response, Number(/\bafter=(\d+)/.exec(path)?.[1] ?? 0))
  }

  /** Tells of what happens between children. */
  notice(level: 'info' | 'error', text: string): void {
    this.#console.notice(level, text)
  }

  /** A child leaves a request unanswered: whatever it still says of it comes first. */
  async lose(child: { readonly number: number }, lost: LostRequest): Promise<void> {
    const { feed, over } = this.#followed.get(child.number) ?? { feed: this.#current, over: undefined }
    await Promise.race([over, sleep(LAST_WORDS_MS)])
    for (const message of feed?.lose(lost) ?? []) this.#console.add(message)
  }

  #tell(response: ServerResponse, after: number): void {
    const leave = this.#console.read(
      {
        tell: (event, seq) =>
          void response.write(printEvent(event, seq === undefined ? undefined : String(seq))),
        get unread() {
          return response.writableLength
        },
        end: () => void response.end(),
      },
      after,
    )
    const beat = setInterval(() => response.write(KEEP_ALIVE), KEEP_ALIVE_MS)
    response.on('close', () => {
      clearInterval(beat)
      leave()
    })
  }

  #read(upstream: IncomingMessage, child: DevChild): Promise<void> {
    const feed = new ChildFeed(this.#names)
    const greeted = new Promise<void>((resolve) => {
      splitEvents(upstream, (text) => {
        const data = fieldOf(text, 'data')
        if (data === undefined) return
        const event = JSON.parse(data) as ConsoleEvent // Our own server's.
        this.#hear(feed, event)
        if (event.type === 'state') resolve() // It follows the greeting, and has the file's budgets.
      })
    })
    const over = new Promise<void>((resolve) => {
      upstream.on('error', () => {}) // Its child is gone: what it has said is here.
      upstream.on('close', resolve)
    })
    this.#remember(child, { feed, over })
    return Promise.race([greeted, over, sleep(GREET_MS, undefined, { ref: false })])
  }

  #remember({ number }: DevChild, followed: FollowedChild): void {
    this.#followed.set(number, followed)
    if (this.#followed.size > MOST_FOLLOWED)
      for (const oldest of this.#followed.keys()) return void this.#followed.delete(oldest)
  }

  #hear(feed: ChildFeed, event: ConsoleEvent): void {
    if (event.type === 'messages') {
      const kept = event.items.flatMap((item) => feed.take(item) ?? [])
      for (const message of kept) this.#console.keep(message)
    } else if (event.type === 'notice') this.#console.notice(event.level, event.text)
    else if (event.type === 'dropped')
      this.#console.notice('warning', `${event.count} messages were too many at once, and are not shown`)
    else if (event.type === 'hello') this.#greet(feed, event)
    else if (feed === this.#current)
      this.#state = {
        ...event,
        sessions: event.sessions.map((one) => ({ ...one, id: feed.nameOf(one.id) })),
      }
  }

  /** The newest code is what pages are of. */
  #greet(feed: ChildFeed, { type: _, time: __, run: ___, ...hello }: ConsoleHello): void {
    this.#current = feed
    this.#hello = hello
    this.#console.greet()
  }

  /** What the file says of its budgets, as the child that serves it tells. */
  #limits() {
    const limit = (name: BudgetName) => this.#state.usage[name]?.limit ?? BUDGETS[name].limit
    return {
      get messages() {
        return limit('maxConsoleMessages')
      },
      get bytes() {
        return limit('maxConsoleBytes')
      },
      get messageBytes() {
        return limit('maxConsoleMessageBytes')
      },
      get readers() {
        return limit('maxConsoleReaders')
      },
    }
  }

  #usage(): ConsoleState['usage'] {
    const { messages, readers } = this.#console
    const used = {
      maxConsoleMessages: messages.size,
      maxConsoleBytes: messages.bytes,
      maxConsoleReaders: readers,
    }
    const { usage } = this.#state
    return Object.fromEntries(
      Object.entries(used).flatMap(([name, use]) => {
        const row = usage[name]
        return row === undefined ? [] : [[name, { ...row, used: use }]]
      }),
    )
  }
}

function isFor(what: 'events' | 'recording', { method, path }: TakenRequest): boolean {
  return method === 'GET' && path.replace(/\?.*/, '').endsWith(`/console/${what}`)
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
