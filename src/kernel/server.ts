import { dispatch } from './admit.ts'
import { Announcer } from './announcer.ts'
import { ownerOf } from './audience.ts'
import { type Budgets, settleBudgets, Usage } from './budgets.ts'
import { type Handler, type Middleware, wrap } from './call.ts'
import { type Catalogue, close, createCatalogue, type Offers } from './catalogue.ts'
import { Changes } from './changes.ts'
import { DEFAULT_DIALECT, type Dialect } from './dialect.ts'
import { type Observer, ObserverError } from './events.ts'
import type { Extension } from './extension.ts'
import type { Incoming, Outgoing } from './jsonrpc/message.ts'
import { Ledger } from './ledger.ts'
import { Link, type Outlet, type Rested } from './link.ts'
import type { Listener, ListName } from './listener.ts'
import type { Platform } from './platform.ts'
import type { Carrier, Principal } from './principal.ts'
import type { Implementation } from './protocol/implementation.ts'
import { receive } from './receive.ts'
import type { Revision } from './revisions/revision.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'
import { TaskDesk } from './tasks/desk.ts'
import { takeOver } from './tasks/run.ts'

export interface ServerOptions {
  readonly info: Implementation
  readonly platform: Platform
  readonly offers: Offers
  readonly middleware: readonly Middleware[]
  readonly observe: Observer
  readonly dialect: Partial<Dialect>
  /** Revisions that only this server speaks. */
  readonly revisions: readonly Revision[]
  readonly extensions: readonly Extension[]
  readonly settings: Partial<Settings>
  readonly budgets?: Partial<Budgets>
}

export interface Opening {
  readonly outlet: Outlet
  readonly principal?: Principal
  readonly carrier?: Carrier
  readonly rested?: Rested
}

/** The middle of everything: messages in, replies out, whatever carries them. */
export interface Server extends Catalogue {
  readonly info: Implementation
  readonly platform: Platform
  readonly settings: Settings
  readonly budgets: Budgets
  /** How much of each budget is used, for whoever watches. */
  readonly usage: Usage
  /** The bytes that conversations make us keep: what clients said of themselves, and what they subscribed to. */
  readonly held: Ledger<Link>
  /** The bytes of requests that are not answered yet, by caller. */
  readonly underway: Ledger<string>
  /** The bytes of answers to batches that are not answered in full yet. */
  readonly batched: Ledger<object>
  readonly dialect: Dialect
  readonly revisions: readonly Revision[]
  readonly extensions: readonly Extension[]
  readonly tasks: TaskDesk
  readonly observe: Observer
  /** Which families of methods there are: those of the lists it was made with, and of what was added since. */
  readonly offers: { readonly [list in ListName]: boolean }
  /** Who is to be told of changes. */
  readonly listeners: Set<Listener>
  /** What they have not been told yet of lists. */
  readonly changes: Changes
  /** Who must end when a client asks the server to. */
  readonly exits: Set<() => void>
  /** Every call goes through here, middleware first. */
  readonly handle: Handler
  /** Begins a conversation. */
  open(opening: Opening): Link
  /** The one door. It answers at once when the handler does; `outlet` takes what belongs to this message alone. */
  receive(
    incoming: Incoming,
    link: Link,
    outlet?: Outlet,
  ): Outgoing | undefined | Promise<Outgoing | undefined>
  /** Tells whoever subscribed to a resource that it has changed. */
  updated(uri: string): void
  /** Ends every subscription; what is under way goes on. */
  end(): void
}

export function createServer(options: ServerOptions): Server {
  const { info, platform, offers } = options
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const listeners = new Set<Listener>()
  const announcer = new Announcer(listeners, platform.after)
  const changes = new Changes(listeners, announcer)
  const { pageSize, unscoped } = settings
  const catalogue = createCatalogue({
    offers,
    pageSize,
    validator: platform.validator,
    unscoped,
    changed: (list, audience) => changes.add(list, audience),
  })
  const { tools, resources, templates, prompts } = catalogue
  const budgets = settleBudgets(options.budgets)
  const usage = new Usage()
  const server: Server = {
    ...catalogue,
    info,
    platform,
    settings,
    budgets,
    usage,
    held: new Ledger({
      budgets,
      usage,
      each: 'maxHeldPerSessionBytes',
      share: { budget: 'maxHeldPerCallerBytes', owner: ({ principal }) => ownerOf(principal) },
      all: 'maxHeldBytes',
    }),
    underway: new Ledger({
      budgets,
      usage,
      each: 'maxUnderwayPerCallerBytes',
      all: 'maxUnderwayBytes',
      exempt: ownerOf(undefined),
    }),
    batched: new Ledger({ budgets, usage, each: 'maxBatchAnswerBytes', all: 'maxBatchedBytes' }),
    dialect: { ...DEFAULT_DIALECT, ...options.dialect },
    revisions: options.revisions,
    extensions: unscoped === 'closed' ? options.extensions.map(close) : options.extensions,
    tasks: new TaskDesk({
      platform,
      budgets,
      usage,
      changed: (task) => announcer.tell({ task }),
      interrupted: (record) => takeOver(server, record),
      failed: (error) => server.observe({ kind: 'crashed', error, method: 'tasks' }),
    }),
    observe: shielded(options.observe),
    offers: {
      get tools() {
        return offers.tools !== undefined || tools.size > 0
      },
      get resources() {
        return (
          offers.resources !== undefined ||
          offers.templates !== undefined ||
          resources.size + templates.size > 0
        )
      },
      get prompts() {
        return offers.prompts !== undefined || prompts.size > 0
      },
    },
    listeners,
    changes,
    exits: new Set(),
    handle: wrap(options.middleware, dispatch),
    open: (opening) => new Link({ ...opening, server, receive }),
    receive: (incoming, link, outlet = link.outlet) => receive(link, incoming, outlet),
    updated: (resource) => announcer.tell({ resource }),
    end: () => {
      for (const listener of [...listeners]) listener.end()
    },
  }
  server.usage.watch('maxSchemaParts', () => platform.validator.most.schemaParts)
  server.usage.watch('maxCheckSteps', () => platform.validator.most.checkSteps)
  return server
}

/** An observer that fails does so on its own, and the message it was told of goes its way. */
function shielded(observe: Observer): Observer {
  return (event) => {
    try {
      observe(event)
    } catch (error) {
      queueMicrotask(() => {
        throw new ObserverError(error)
      })
    }
  }
}
