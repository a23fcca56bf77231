import type { Budgets } from '../budgets/budgets.ts'
import type { Ledger } from '../budgets/ledger.ts'
import type { Traced } from '../budgets/traced.ts'
import type { Usage } from '../budgets/usage.ts'
import type { Carrier, Principal } from '../callers/principal.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ToolFront } from '../catalogue/front.ts'
import type { Implementation } from '../definitions/implementation.ts'
import type { ResultBudget } from '../definitions/tool.ts'
import type { Dialect } from '../dialect.ts'
import type { Incoming, JsonObject, Outgoing, Result } from '../jsonrpc/message.ts'
import type { Platform } from '../ports/platform.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Settings } from '../settings.ts'
import type { ServerTasks } from '../tasks/server-tasks.ts'
import type { Abandoned } from './abandoned.ts'
import type { ResultBounds, ResultOf } from './bounds.ts'
import type { Call, Handler } from './call.ts'
import type { Changes } from './changes.ts'
import type { KernelObserver } from './events.ts'
import type { Extension } from './extension.ts'
import type { Invocation } from './invoked.ts'
import type { Link } from './link.ts'
import type { Listener, ListName } from './listener.ts'
import type { Outlet } from './outlet.ts'
import type { Relaying } from './relaying.ts'
import type { MessageWatcher } from './watched.ts'

/** How a conversation begins. */
export interface Opening {
  readonly outlet: Outlet
  readonly principal?: Principal | undefined
  readonly carrier?: Carrier | undefined
  /** Hears when a call begins or ceases to wait for its client. */
  readonly rested?: ((link: Link, reason: 'asking' | 'listening', change: 1 | -1) => void) | undefined
  /** Gives up what nobody waits for, until there is enough room. */
  readonly makeRoom?: ((link: Link, enough: () => boolean) => void) | undefined
  /** Whether no handshake is known here, so that every request has to say who sends it. */
  readonly stateless?: boolean
  /** What the ids of our questions begin with, where answers may have to find their way here; they are numbers unless said. */
  readonly questions?: string | undefined
}

/** The same, and who answers in it. */
export interface LinkOptions extends Opening {
  readonly server: Server
  /** Finds the reply to a message. */
  readonly receive: (
    link: Link,
    incoming: Incoming,
    outlet: Outlet,
  ) => Outgoing | undefined | Promise<Outgoing | undefined>
}

/** What is done for a host that does not take, or show, everything. */
interface HostFitting {
  /** A listed tool, and what its results may be, as it takes them. */
  tool(tool: JsonObject, budget: ResultBudget | undefined): JsonObject
  /** A result with data, as its model is shown all of it. */
  result(result: Result, given: ResultOf): Result | Promise<Result>
}

/** By what a client says of itself; undefined where nothing need be done. */
export type FittingFor = (info: Implementation | undefined) => HostFitting | undefined

/** The middle of everything: messages in, replies out, whatever carries them. */
export interface Server extends Catalogue {
  readonly info: Implementation
  readonly platform: Platform
  readonly settings: Settings
  readonly budgets: Budgets
  /** How much of each budget is used, for whoever watches. */
  readonly usage: Usage
  /** What has come of other nodes, for whoever watches. */
  readonly traced: Traced
  /** The bytes that conversations make us keep: what clients said of themselves, and what they subscribed to. */
  readonly held: Ledger<Link>
  /** The bytes of requests that are not answered yet, by caller. */
  readonly underway: Ledger<string>
  readonly abandoned: Abandoned
  /** The bytes of answers to batches that are not answered in full yet. */
  readonly batched: Ledger<object>
  readonly dialect: Dialect
  readonly revisions: readonly Revision[]
  readonly extensions: readonly Extension[]
  /** The tasks of its clients; what looks after them is made when there is first need of it. */
  readonly tasks: () => ServerTasks
  /** Whether there has ever been a task here. */
  readonly hadTasks: () => boolean
  readonly observe: KernelObserver
  /** Which families of methods there are: those of the lists it was made with, and of what was added since. */
  readonly offers: { readonly [list in ListName]: boolean }
  /** What clients are shown in place of its tools, where they are not shown them all. */
  readonly front: ToolFront | undefined
  /** What holds its results to their budgets, where somebody has said how. */
  readonly bounds: (() => ResultBounds) | undefined
  /** How tools are listed to a client that does not take every schema. */
  readonly fittingFor: FittingFor | undefined
  /** What it has to know of other servers that it stands for. */
  readonly relaying: Relaying
  /** Who is to be told of changes. */
  readonly listeners: Set<Listener>
  /** What they have not been told yet of lists. */
  readonly changes: Changes
  /** Who must end when a client asks the server to. */
  readonly exits: Set<() => void>
  /** Who is told of the messages of every conversation that begins from then on. */
  readonly watchers: Set<MessageWatcher>
  /** The first client has been greeted: what its calls will take is made ready while it has something to read. */
  greeted(): void
  /** Every call goes through here, middleware first. */
  readonly handle: Handler
  /** Begins a conversation. */
  open(opening: Opening): Link
  /** Has a call call a tool. */
  invoke(outer: Call, invocation: Invocation): Promise<Result>
  /** Tells whoever subscribed to a resource that it has changed, on any conversation or on one. */
  updated(uri: string, link?: object): void
  /** Ends every subscription; what is under way goes on. */
  end(): void
  /** Opens its modules, before the first client is served; gives nothing back where there is nothing to wait for. */
  start(): Promise<void> | undefined
  /** Somebody serves it, and can be told to `end` that; the last one who leaves, by the function given back, closes it. */
  serve(end: () => Promise<unknown>): () => Promise<void>
  /** Ends whoever serves it, then closes its modules, the last one first, and what it has opened itself. */
  close(): Promise<void>
}
