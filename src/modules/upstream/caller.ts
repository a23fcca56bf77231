import {
  type Answers,
  type Asked,
  type Client,
  ClientError,
  connect,
  type Notification,
} from '../../client/index.ts'
import type { Intake } from '../../client/intake.ts'
import {
  type Call,
  type JsonObject,
  type LogLevel,
  NEWEST,
  type Revision,
  type Server,
} from '../../kernel/index.ts'
import { ChildLog } from './child-log.ts'
import { declaredOf } from './declared.ts'
import type { Discretion } from './discretion.ts'
import { asRefusal } from './errors.ts'
import { headersWith } from './forwarded.ts'
import { tellBetween } from './heard.ts'
import type { HeldFor } from './holder.ts'
import type { UpstreamOptions } from './options.ts'
import { OwnHealth } from './own-health.ts'
import { targetOf } from './params.ts'
import { type AdvisedOne, adviceFor, signInTo, type UpstreamRefusal } from './sign-in/advice.ts'
import { openTokens, type Tokens } from './sign-in/tokens.ts'
import { intakeFor } from './upstream-intake.ts'

/** Whoever reads the lists can do anything, so that everything is listed. */
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

export interface CallerOptions {
  readonly name: string
  readonly options: UpstreamOptions
  readonly server: Server
  readonly discretion: Discretion
  readonly note: (message: string, level?: LogLevel) => void
  /** Told when somebody has signed in to it, or out. */
  readonly signedIn: () => void
  readonly hear: (notification: Notification) => void
  /** Told when a session has been opened again, with whoever is there now. */
  readonly reopened: (client: Client) => void
  /** Told when a client's own connection could not be made. */
  readonly failed: () => void
}

/** Connects to one upstream, and remembers how it is spoken to. */
export class Caller {
  readonly #options: CallerOptions
  readonly #log: ChildLog
  readonly #tokens: Tokens | undefined
  readonly #intake: Intake
  /** What may be told of it. */
  readonly discretion: Discretion
  /** How it is for single clients. */
  readonly own: OwnHealth
  readonly #levels = new WeakMap<Client, LogLevel>()
  #revision: string | undefined
  #spoken: Revision = NEWEST

  constructor(caller: CallerOptions) {
    const { name, options, server, note, signedIn, discretion, failed } = caller
    const { platform, budgets } = server
    this.#options = caller
    this.discretion = discretion
    this.#revision = options.revision
    this.#log = new ChildLog({
      name,
      now: platform.now,
      note,
      hide: (line) => this.discretion.hide(line),
    })
    this.#intake = intakeFor(server)
    const changed = () => {
      this.own.clear()
      signedIn()
    }
    this.#tokens = openTokens(options, { upstream: name, platform, note, changed })
    const help = { signIn: this.signIn, advise: this.advise }
    this.own = new OwnHealth({
      name,
      platform,
      discretion,
      help,
      most: budgets.maxUpstreamConnections,
      failed,
    })
  }

  /** What is spoken to it, once that is known or has been said. */
  get revision(): string | undefined {
    return this.#revision
  }

  get spoken(): Revision {
    return this.#spoken
  }

  /** What one types to sign in, where one does. */
  readonly signIn = (one: AdvisedOne): string | undefined => {
    const { name, options } = this.#options
    return signInTo(name, options, one)
  }

  /** What would help somebody whom the upstream has refused. */
  readonly advise = (refusal: UpstreamRefusal, one: AdvisedOne): string => {
    const { scope, trouble } = this.#tokens?.state ?? {}
    return adviceFor(refusal, { signIn: this.signIn(one), scope, trouble })
  }

  close(): void {
    this.#tokens?.close()
    this.own.clear()
  }

  /** For a client, or for nobody in particular. */
  connect(held: HeldFor | undefined, signal: AbortSignal): Promise<Client> {
    const connect = () => this.#connect(held, signal)
    return held === undefined ? connect() : this.own.connect(held.holding, connect)
  }

  async #connect(held: HeldFor | undefined, signal: AbortSignal): Promise<Client> {
    const { options, server, hear, reopened } = this.#options
    const { peer, forwarded } = held?.holding ?? {}
    const answers = held === undefined ? {} : answersOf(held, server)
    const headers = headersWith(
      this.discretion.learning(withTokens(options.headers, this.#tokens)),
      forwarded,
    )
    let opened: Client | undefined
    const client = await connect(
      targetOf(options, (text) => this.#log.hear(text)),
      {
        info: peer?.info ?? server.info,
        capabilities: peer === undefined ? EVERYTHING : declaredOf(peer),
        ...(headers !== undefined && { headers }),
        ...(options.revision !== undefined && { revision: options.revision }),
        ...(this.#revision !== undefined && { likely: this.#revision }),
        answers,
        signal,
        limits: { maxMessageBytes: server.budgets.maxUpstreamMessageBytes },
        intake: this.#intake,
        onError: this.#warnOnce(),
        onReopened: () => {
          if (opened === undefined) return
          this.#remember(opened)
          reopened(opened)
        },
        onNotification: (notification) => {
          hear(notification)
          if (held !== undefined) tellBetween(notification, held.holding.link)
        },
      },
    )
    opened = client
    this.#remember(client)
    return client
  }

  #remember({ revision }: Client): void {
    this.#spoken = revision
    this.#revision = revision.id
  }

  /** Of a connection on which nonsense comes the operator is told once. */
  #warnOnce(): (error: Error) => void {
    let told = false
    return (error) => {
      if (told || !(error instanceof ClientError) || error.reason !== 'nonsense') return
      told = true
      this.#options.note(`${this.#options.name}: ${error.message}`)
    }
  }

  /** A client that hears log notices of a level hears those of the upstream, too. */
  setLevel(client: Client, { logLevel, server }: Call): Promise<void> | undefined {
    const told = this.#levels.get(client) ?? server.settings.logLevel
    const canBeTold = client.revision.logLevel === 'by-method' && 'logging' in client.capabilities
    if (!canBeTold || logLevel === undefined || logLevel === told) return undefined
    this.#levels.set(client, logLevel)
    return client.setLogLevel(logLevel)
  }
}

/** What an upstream asks between calls is asked of the client it is connected for, where that can be asked by requests. */
function answersOf(held: HeldFor, { settings }: Server): Answers {
  const { peer } = held.holding
  if (peer.revision.asking !== 'request') return {}
  const declared = declaredOf(peer)
  const askable = ASKABLE.filter((method) => CAPABILITY[method] in declared)
  const ask =
    (method: string) =>
    (params: JsonObject, { signal }: Asked) => {
      const { link } = held.holding
      return link
        .ask({ method, params, outlet: link.outlet, signal, timeoutMs: settings.answerTimeoutMs })
        .catch((error: unknown) => {
          throw asRefusal(error)
        })
    }
  return Object.fromEntries(askable.map((method) => [method, ask(method)]))
}

const CAPABILITY: Record<keyof Answers, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}
const ASKABLE = Object.keys(CAPABILITY) as readonly (keyof Answers)[] // They are its own keys.

function withTokens(own: UpstreamOptions['headers'], tokens: Tokens | undefined): UpstreamOptions['headers'] {
  if (tokens === undefined) return own
  if (typeof own === 'function')
    return async (challenge, refused) => ({
      ...(await tokens.headers(challenge, refused)),
      ...(await own(challenge, refused)),
    })
  return (challenge, refused) => {
    const signed = tokens.headers(challenge, refused)
    return signed instanceof Promise ? signed.then((one) => ({ ...one, ...own })) : { ...signed, ...own }
  }
}
