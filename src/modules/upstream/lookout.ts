import type { Client, ClientError } from '../../client/index.ts'
import { DEFAULTS } from '../../client/options.ts'
import type { Server } from '../../kernel/index.ts'
import type { UpstreamConnections } from './connections.ts'
import { isClosed, isForgetful, isUnspoken } from './errors.ts'
import type { Health } from './health.ts'
import { Notes } from './notes.ts'
import type { UpstreamOffers } from './offers.ts'
import type { Pins } from './pins/pins.ts'
import type { Tally } from './tally.ts'
import { Vetting } from './vetting.ts'

/** How long a server may take for each answer while it is looked at. */
const PATIENCE_S = DEFAULTS.timeoutMs / 1000

export interface LookoutOptions {
  readonly name: string
  readonly server: Server
  readonly connections: UpstreamConnections
  readonly offers: UpstreamOffers
  readonly health: Health
  readonly tally: Tally
  readonly note: (message: string) => void
  /** Told when it is known what the upstream has, or that this cannot be known now. */
  readonly seen: () => void
  readonly pins: Pins | undefined
}

/** Looks at what an upstream has: whenever there is reason to, and as long as it is sick again after a while. */
export class Lookout {
  readonly #options: LookoutOptions
  /** Has it looked at when a connection lists something else. */
  readonly vetting: Vetting
  readonly #notes: Notes
  #looking: Promise<void> | undefined
  #began = 0
  #reading = Promise.resolve(false)
  #endReading: (isRead: boolean) => void = () => {}
  #freshening: Promise<void> | undefined
  #isClosed = false

  constructor(options: LookoutOptions) {
    this.#options = options
    this.#notes = new Notes(options.name, options.note)
    this.vetting = new Vetting({ ...options, lookout: this })
  }

  /** Resolves when it has been looked at, well or not; undefined when nobody looks just now. */
  get looking(): Promise<void> | undefined {
    return this.#looking
  }

  /** That somebody looks, and for how long they will, for those who call meanwhile. */
  get waiting(): string | undefined {
    if (this.#looking === undefined) return undefined
    const { name, server } = this.#options
    const seconds = Math.max(1, Math.ceil((server.platform.now() - this.#began) / 1000))
    return `${name} is still being connected to, for ${seconds} s so far: what it has is not known yet. It is given up when nothing is heard of it for ${PATIENCE_S} s. Try again in a few seconds`
  }

  /** Whether its lists could be read when it was last looked at, which is known before it has said that it tells of changes. */
  get reading(): Promise<boolean> {
    return this.#reading
  }

  /** Once for all who have reason to; what a connection lists that has told of changes is offered beside. */
  look(teller?: Client): void {
    if (this.#looking !== undefined) return
    this.#began = this.#options.server.platform.now()
    this.#reading = new Promise((resolve) => {
      this.#endReading = resolve
    })
    this.#looking = this.#look(teller).finally(() => {
      this.#looking = undefined
      this.#options.seen()
    })
  }

  /** There is reason to think that it cannot be used; resolves when that is known. */
  doubt(): Promise<boolean> {
    if (this.#options.health.trouble === undefined) this.look() // Else it is known, and looked at when it is time.
    return this.#reading
  }

  /** Has it looked at again where what is known of it is too old; undefined where it is not, or where it is tried again anyway. */
  freshen(): Promise<void> | undefined {
    const { offers, health } = this.#options
    if (this.#isClosed || health.trouble !== undefined || !offers.isStale) return undefined
    this.#freshening ??= this.#freshen().finally(() => {
      this.#freshening = undefined
    })
    return this.#freshening
  }

  async #freshen(): Promise<void> {
    const { connections, offers } = this.#options
    await this.#reading
    if (!offers.isStale) return
    await this.#looking // One that has read already, and still waits for what it is to be told of.
    if (this.#isClosed) return
    const { unbound } = offers.age
    if (unbound !== undefined) connections.abandon(unbound)
    this.look()
    await this.#reading
  }

  /** The lists could not be read again: what keeps no session is left alone, and what we have ended ourselves is read by another. */
  failed(error: Error): void {
    const { note, name } = this.#options
    if (isForgetful(error)) this.#sicken(error)
    else if (!isClosed(error)) note(`${name}: ${error.message}`)
  }

  close(): void {
    this.#isClosed = true
  }

  async #look(teller: Client | undefined): Promise<void> {
    const { connections, health } = this.#options
    for (let tries = 1; ; tries++) {
      let client: Client | undefined
      try {
        client = await connections.everybodys()
        await this.#lookBy(client, teller)
        return health.well()
      } catch (error) {
        if (client !== undefined) connections.abandon(client) // What it is sick of may be the connection.
        if (tries === 1 && client !== undefined && this.#isOver(error, client)) continue
        this.#sicken(error as Error)
        return this.#endReading(false)
      }
    }
  }

  /** Whether another connection would do, since this one is in words of the past, or somebody else has ended it. */
  #isOver(error: unknown, { revision }: Client): boolean {
    return isUnspoken(error, revision) || (isClosed(error) && !this.#isClosed)
  }

  async #lookBy(client: Client, teller: Client | undefined): Promise<void> {
    const { offers, seen } = this.#options
    const listening = this.#listen(client) // First, since what it has may change while it is read.
    listening.catch(() => {}) // Whoever waits for it below is told.
    await offers.changes.during(() => offers.read(client, teller))
    this.#endReading(true)
    seen()
    await listening.catch((error: ClientError) => this.#noteUntold(error))
  }

  #listen(client: Client): Promise<void> {
    const { changes } = this.#options.offers
    const { isKept } = client
    const ended = (error: ClientError | undefined) => {
      if (this.#isClosed || isKept) return // What is kept is made anew when somebody calls.
      if (error === undefined) changes.later(() => this.look())
      else this.look() // Whether only this way has broken is seen.
    }
    return changes.listen(client, { ended })
  }

  /** It answers, and does not tell of changes for now: its lists grow old, and it is asked to tell in pauses. */
  #noteUntold({ message }: ClientError): void {
    if (this.#isClosed) return
    const text = `does not tell of changes for now, so that its lists are read again by time (${message})`
    this.#notes.once([text])
    this.#options.offers.changes.later(() => this.look())
  }

  /** Is looked at again after a while. */
  #sicken(error: Error): void {
    if (this.#isClosed) return
    const { health, tally, note } = this.#options
    health.sick(error)
    note(health.report)
    tally.tell(health.reason)
  }
}
