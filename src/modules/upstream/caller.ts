import { type Client, connect, type Notification } from '../../client/index.ts'
import { type Call, type LogLevel, NEWEST, type Revision, type Server } from '../../kernel/index.ts'
import type { Holding } from './connections.ts'
import { declaredOf } from './declared.ts'
import { headersWith } from './forwarded.ts'
import type { UpstreamOptions } from './options.ts'
import { targetOf } from './params.ts'

/** Whoever reads the lists can do anything, so that everything is listed. */
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

export interface CallerOptions {
  readonly options: UpstreamOptions
  readonly server: Server
  /** What its process says on stderr. */
  readonly said: (text: string) => void
  readonly hear: (notification: Notification, client: () => Client) => void
}

/** Connects to one upstream, and remembers how it is spoken to. */
export class Caller {
  readonly #options: CallerOptions
  readonly #levels = new WeakMap<Client, LogLevel>()
  #revision: string | undefined
  #spoken: Revision = NEWEST

  constructor(options: CallerOptions) {
    this.#options = options
    this.#revision = options.options.revision
  }

  /** What is spoken to it, once that is known or has been said. */
  get revision(): string | undefined {
    return this.#revision
  }

  get spoken(): Revision {
    return this.#spoken
  }

  async connect(holding: Holding | undefined): Promise<Client> {
    const { options, server, said, hear } = this.#options
    const { peer, forwarded } = holding ?? {}
    const headers = headersWith(options.headers, forwarded)
    const client: Client = await connect(targetOf(options, said), {
      info: peer?.info ?? server.info,
      capabilities: peer === undefined ? EVERYTHING : declaredOf(peer),
      ...(headers !== undefined && { headers }),
      ...(this.#revision !== undefined && { revision: this.#revision }),
      onNotification: (notification) => hear(notification, () => client),
    })
    this.#spoken = client.revision
    this.#revision = client.revision.id
    return client
  }

  /** A client that hears log notices of a level hears those of the upstream, too. */
  async setLevel(client: Client, { logLevel, server }: Call): Promise<void> {
    const told = this.#levels.get(client) ?? server.settings.logLevel
    const canBeTold = client.revision.logLevel === 'by-method' && 'logging' in client.capabilities
    if (!canBeTold || logLevel === undefined || logLevel === told) return
    this.#levels.set(client, logLevel)
    await client.setLogLevel(logLevel)
  }
}
