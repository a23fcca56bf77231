import { type Client, type ClientError, ErrorReply } from '../../client/index.ts'
import type { ListName, Server } from '../../kernel/index.ts'
import { isBroken } from './errors.ts'

export const FAMILIES: readonly ListName[] = ['tools', 'resources', 'prompts']

/** How long several notices of one change may take. */
const SETTLE_MS = 20

/** After how long a subscription is made again that the upstream has ended; twice as long each time that it ends soon. */
const AGAIN_MS = 1000
const LONGEST_MS = 60_000

export interface ListChangesOptions {
  readonly server: Server
  /** Reads all lists again, by the connection that was told. */
  readonly read: (client: Client) => Promise<void>
  readonly failed: (error: Error) => void
}

/** Hears from an upstream that its lists have changed, on every connection to it, and has them read again. */
export class ListChanges {
  readonly #options: ListChangesOptions
  /** The connections that are listened on. */
  readonly #heard = new WeakSet<Client>()
  readonly #changed = new Set<ListName>()
  #refreshing: (() => void) | undefined
  #pauseMs = AGAIN_MS
  #soon = 0
  #stopPause = () => {}
  /** Resolves when the lists have been read again, as far as there is reason to. */
  refreshed: Promise<void> = Promise.resolve()

  constructor(options: ListChangesOptions) {
    this.#options = options
  }

  /** Listens on a connection, if that is not done already; `ended` is told when the upstream tells no more, or cannot. */
  async listen(client: Client, ended?: (error: ClientError | undefined) => void): Promise<void> {
    if (this.#heard.has(client)) return
    this.#heard.add(client)
    try {
      const { closed } = await client.listen({ tools: true, resources: true, prompts: true }, ({ kind }) => {
        if (FAMILIES.includes(kind as ListName)) this.#refresh(kind as ListName, client)
      })
      void closed.then((error) => {
        this.#heard.delete(client)
        if (error === undefined || isBroken(error)) ended?.(error)
      })
    } catch (error) {
      this.#heard.delete(client)
      if (isBroken(error)) throw error
      if (!(error instanceof ErrorReply)) this.#options.failed(error as Error) // Whoever does not tell can still be called.
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
    const { now, after } = this.#options.server.platform
    this.#pauseMs = now() < this.#soon ? Math.min(2 * this.#pauseMs, LONGEST_MS) : AGAIN_MS
    this.#soon = now() + 2 * this.#pauseMs
    this.#stopPause()
    this.#stopPause = after(this.#pauseMs, run)
  }

  close(): void {
    this.#refreshing?.()
    this.#stopPause()
  }

  /** Once for however many have changed. */
  #refresh(family: ListName, client: Client): void {
    const { server, read, failed } = this.#options
    this.#changed.add(family)
    if (this.#refreshing !== undefined) return
    this.refreshed = new Promise((resolve) => {
      this.#refreshing = server.platform.after(SETTLE_MS, () => {
        this.#refreshing = undefined
        resolve(read(client).catch(failed))
      })
    })
  }
}
