import { type Client, type ClientError, ErrorReply, type Listening } from '../../client/index.ts'
import { Pace } from '../../client/pace.ts'
import { isObject, type JsonObject, type ListName, type Server } from '../../kernel/index.ts'
import { isBroken } from './errors.ts'

export const FAMILIES: readonly ListName[] = ['tools', 'resources', 'prompts']

/** How long this process has been busy; whatever else it did meanwhile, it had no time for more. */
const busyMs = () => performance.eventLoopUtilization().active

/** How long several notices of one change may take, and how long whoever tells of changes without end is left alone. */
const [SETTLE_MS, LONGEST_SETTLE_MS] = [20, 10_000]

/** After how long a subscription is made again that the upstream has ended. */
const [AGAIN_MS, LONGEST_MS] = [1000, 60_000]

export interface ListChangesOptions {
  readonly server: Server
  /** Reads all lists again, since a connection was told. */
  readonly read: (teller: Client) => Promise<void>
  readonly failed: (error: Error) => void
}

interface ListChangesHearer {
  /** Told when the tools that are listed on the connection may be others. */
  readonly changed?: () => void
  /** Told when the upstream tells no more, or cannot. */
  readonly ended?: (error: ClientError | undefined) => void
}

/** Hears from an upstream that its lists have changed, on every connection to it, and has them read again. */
export class ListChanges {
  readonly #options: ListChangesOptions
  /** The connections that are listened on, with what they are to tell of once that is known. */
  readonly #heard = new WeakMap<Client, Listening | undefined>()
  /** Those on which a change has been told. */
  readonly #told = new WeakSet<Client>()
  readonly #changed = new Set<ListName>()
  readonly #settling: Pace
  readonly #pausing: Pace
  /** Who has told of changes since the lists were last read. */
  #teller: Client | undefined
  #isRefreshing = false
  #isClosed = false
  #endSettling = () => {}
  #stopPause = () => {}
  /** Resolves when the lists have been read again, once for what has been told of by now. */
  refreshed: Promise<void> = Promise.resolve()

  constructor(options: ListChangesOptions) {
    this.#options = options
    const { now } = options.server.platform
    this.#settling = new Pace({ now, firstMs: SETTLE_MS, longestMs: LONGEST_SETTLE_MS })
    this.#pausing = new Pace({ now, firstMs: AGAIN_MS, longestMs: LONGEST_MS })
  }

  /** Listens on a connection, if that is not done already. */
  async listen(client: Client, { changed, ended }: ListChangesHearer): Promise<void> {
    if (this.#heard.has(client)) return
    this.#heard.set(client, undefined)
    try {
      const listening = await client.listen(
        { tools: true, resources: true, prompts: true },
        ({ kind }, certainty) => {
          if (!FAMILIES.includes(kind as ListName)) return
          if (certainty === 'told') this.#changed.add(kind as ListName)
          if (kind === 'tools') changed?.()
          this.#refresh(client)
        },
      )
      this.#heard.set(client, listening)
      void listening.closed.then((error) => {
        this.#heard.delete(client)
        if (error === undefined || isBroken(error)) ended?.(error)
      })
    } catch (error) {
      if (isBroken(error) || error instanceof ErrorReply) this.#heard.delete(client)
      if (isBroken(error)) throw error
      if (!(error instanceof ErrorReply)) this.#options.failed(error as Error) // Whoever does not tell can still be called.
    }
  }

  /** Whether each list that it has would be told of on a connection, were it another. */
  tells(client: Client, capabilities: JsonObject): boolean {
    const { honoured } = this.#heard.get(client) ?? {}
    if (honoured === undefined) return false
    const families = FAMILIES.filter((family) => family in capabilities)
    if (client.revision.opening === 'every-request') return families.every((family) => honoured[family])
    const isDeclared = (told: unknown) => isObject(told) && told['listChanged'] === true
    return client.stream !== undefined && families.every((family) => isDeclared(capabilities[family]))
  }

  /** Whether a connection has told of changes, so that it may list what no other does. */
  hasTold(client: Client): boolean {
    return this.#told.has(client)
  }

  /** While the lists are read for other reasons, what is told waits; then they are read once more. */
  async during(read: () => Promise<void>): Promise<void> {
    if (this.#isRefreshing) return read()
    this.#isRefreshing = true
    try {
      await this.#timed(read)
    } finally {
      this.#isRefreshing = false
      if (this.#teller !== undefined) this.#begin()
    }
  }

  /** The lists that it has told of since this was last asked. */
  take(): readonly ListName[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }

  /** Calls a function after a while, unless this is closed by then. */
  later(run: () => void): void {
    this.#stopPause()
    this.#stopPause = this.#options.server.platform.after(this.#pausing.next(), run)
  }

  close(): void {
    this.#isClosed = true
    this.#endSettling()
    this.#stopPause()
  }

  /** Once for however many have changed. */
  #refresh(client: Client): void {
    this.#teller = client
    this.#told.add(client)
    if (!this.#isRefreshing) this.#begin()
  }

  #begin(): void {
    this.#isRefreshing = true
    this.refreshed = this.#readAgain().finally(() => {
      this.#isRefreshing = false
      if (this.#teller !== undefined && !this.#isClosed) this.#begin()
    })
  }

  /** One reading after the other: what is told meanwhile is for the next, and nobody waits for whoever tells without end. */
  async #readAgain(): Promise<void> {
    const { read, failed } = this.#options
    await this.#settle()
    const teller = this.#teller
    if (this.#isClosed || teller === undefined) return
    this.#teller = undefined
    await this.#timed(() => read(teller)).catch(failed)
  }

  /** Whoever has long lists is read the less often, for whatever reason. */
  async #timed(read: () => Promise<void>): Promise<void> {
    const began = busyMs()
    try {
      await read()
    } finally {
      for (const pace of [this.#settling, this.#pausing]) pace.done(busyMs() - began)
    }
  }

  #settle(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#options.server.platform.after(this.#settling.next(), resolve)
      this.#endSettling = () => {
        stop()
        resolve()
      }
    })
  }
}
