import { because, type Note } from '../log.ts'
import { Backoff } from '../workers/backoff.ts'
import { type ChildOptions, DevChild, NotLoaded } from './child.ts'
import { type Described, differenceOf, NOTHING } from './described.ts'
import { Replaced } from './replaced.ts'

/** What holds the pipe or the port: clients are at one side of it, a child at the other. */
export interface Seat {
  /** Has what clients agreed on with the one before go on with the next, and speaks to that one from then on. */
  move(next: DevChild): Promise<void>
  /** Has requests wait, because the code that would answer them is about to be another. */
  hold(): void
  release(): void
  /** A child has gone; what it has not answered it never will. */
  lost(child: DevChild, why: string): void
  /** Resolves when what a child has under way is answered. */
  settle(child: DevChild): Promise<void>
  /** Tells clients, in the way of a log notice, and the pages of the console. */
  note(notice: DevNotice): void
}

/** What clients are told of the code that serves them. */
export interface DevNotice {
  readonly level: 'info' | 'error'
  readonly logger: string
  readonly data: string
}

export interface KeeperOptions extends ChildOptions {
  readonly file: string
  /** How long a child may take to serve. */
  readonly startMs: number
  readonly seat: Seat
  /** What clients know whoever tells them of it by. */
  readonly logger: string
  readonly log: Note
}

/** How long a process whose code is no longer the newest may take to leave. */
const LEAVE_MS = 5000

/** How long code that is not the newest any more may take to load; what is saved meanwhile waits for it no longer. */
const OUTDATED_MS = 1000

/** Keeps a child that serves the newest code that can be served, whatever becomes of those before it. */
export class Keeper {
  readonly #options: KeeperOptions
  readonly #backoff = new Backoff()
  readonly #all = new Set<DevChild>()
  readonly #replaced = new Replaced()
  #current: DevChild | undefined
  /** What the last one that served offered. */
  #offered: Described = NOTHING
  /** One that has everything loaded but the file. */
  #spare: DevChild | undefined
  #reloading: Promise<void> | undefined
  /** The one that loads the file. */
  #loading: DevChild | undefined
  #changedAt: number | undefined
  #isEnding = false

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  /** A file that cannot be served at first is one that is about to be mended: something empty is served meanwhile. */
  async start(): Promise<void> {
    const { seat, log, file } = this.#options
    try {
      this.#serve(await this.#begin(this.#fork()))
    } catch (error) {
      const reason = (error as Error).message
      this.#serve(await this.#begin(this.#fork(), reason)) // Where this fails as well, it is not the file.
      log('error', explain(error, `nothing is offered until ${file} is changed`))
    }
    if (this.#current !== undefined) await seat.move(this.#current)
    seat.release()
    this.#spare = this.#fork()
  }

  /** The code is being changed: whoever calls now means the new one. */
  noticed(): void {
    this.#changedAt ??= performance.now()
    this.#options.seat.hold()
  }

  /** The code has been changed: what does not finish loading has been mended by now, perhaps. */
  outdate(): void {
    const child = this.#loading
    setTimeout(() => {
      if (child !== undefined && this.#loading === child) child.kill()
    }, OUTDATED_MS).unref()
  }

  /** Puts what has been changed in the place of what is served; what changes meanwhile follows. */
  reload(): Promise<void> {
    this.#reloading ??= this.#reloadAll().finally(() => {
      this.#reloading = undefined
    })
    return this.#reloading
  }

  /** Ends all, as they would end by themselves; gives the exit code of the one that served. */
  async end(finish: (child: DevChild) => void): Promise<number> {
    this.#isEnding = true
    this.#backoff.stop()
    this.#spare?.kill()
    const current = this.#current
    for (const child of this.#all) if (child !== this.#spare) finish(child)
    await Promise.all([...this.#all].map(({ cleared }) => cleared))
    const how = await current?.ended
    return typeof how === 'number' ? how : 0
  }

  kill(): void {
    for (const child of this.#all) child.kill()
  }

  async #reloadAll(): Promise<void> {
    while (this.#changedAt !== undefined && !this.#isEnding) {
      const since = this.#changedAt
      this.#changedAt = undefined
      await this.#reloadOnce(since)
    }
    if (this.#current !== undefined || this.#isEnding) return
    this.#backoff.ended(0)
    this.#backoff.after(() => this.#restart())
  }

  async #reloadOnce(since: number): Promise<void> {
    const { seat, log } = this.#options
    const next = this.#spare ?? this.#fork()
    this.#spare = undefined
    try {
      await this.#begin(next)
      await this.#takeOver(next, since)
    } catch (error) {
      next.kill()
      if (this.#changedAt !== undefined) return // What has been saved meanwhile is what matters.
      const still = this.#current === undefined ? '' : ': what was served before goes on being served'
      log('error', explain(error, `not reloaded${still}`))
      this.#note('error', `Not reloaded: ${(error as Error).message}`)
    }
    if (this.#changedAt === undefined) seat.release()
    if (!this.#isEnding) this.#spare ??= this.#fork()
  }

  async #takeOver(next: DevChild, since: number): Promise<void> {
    const { seat, log } = this.#options
    const old = this.#current
    const before = (await old?.describe()) ?? this.#offered
    await seat.move(next)
    if (next.isGone) throw new Error('it ended while it took over')
    this.#serve(next)
    const { lists, words } = differenceOf(before, next.described)
    if (lists.length > 0) next.tell({ perigee: 'changed', lists })
    if (this.#changedAt === undefined) seat.release()
    const took = Math.round(performance.now() - since)
    const done = `${old === undefined ? 'restarted' : 'reloaded'} in ${took} ms${words === '' ? '' : `: ${words}`}`
    log('notice', done)
    this.#note('info', done)
    if (old !== undefined) void this.#retire(old)
  }

  async #retire(child: DevChild): Promise<void> {
    const { seat } = this.#options
    const why = await this.#replaced.finish(child, seat.settle(child))
    if (why !== undefined) seat.lost(child, why)
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill(), LEAVE_MS)
    await child.ended
    clearTimeout(late)
  }

  #serve(child: DevChild): void {
    this.#current = child
    this.#offered = child.described
    this.#backoff.begun(child.number)
  }

  async #begin(child: DevChild, instead?: string): Promise<DevChild> {
    this.#loading = child
    try {
      await child.go(this.#options.startMs, instead)
    } finally {
      this.#loading = undefined
    }
    return child
  }

  #fork(): DevChild {
    const child = new DevChild(this.#options)
    this.#all.add(child)
    void child.ended.then((how) => this.#lose(child, how))
    return child
  }

  #lose(child: DevChild, how: number | string): void {
    this.#all.delete(child)
    if (child === this.#spare) this.#spare = undefined
    const { seat, log } = this.#options
    const why = `the process that served it has ended (${how})`
    seat.lost(child, why)
    if (child !== this.#current || this.#isEnding) return
    this.#current = undefined
    this.#backoff.ended(child.number)
    const { delayMs } = this.#backoff
    const text = `${why}: another takes its place${delayMs === 0 ? '' : ` in ${delayMs / 1000} s`}`
    log('error', text)
    this.#note('error', text)
    this.#backoff.after(() => this.#restart())
  }

  #note(level: DevNotice['level'], data: string): void {
    const { seat, logger } = this.#options
    seat.note({ level, logger, data })
  }

  /** A change that comes meanwhile brings one up as well. */
  #restart(): void {
    if (this.#current !== undefined || this.#reloading !== undefined || this.#isEnding) return
    this.#changedAt ??= performance.now()
    void this.reload()
  }
}

/** What went wrong, unless the process that failed has said so itself, and what comes of it. */
function explain(error: unknown, outcome: string): string {
  return because(error instanceof NotLoaded ? undefined : (error as Error).message, outcome)
}
