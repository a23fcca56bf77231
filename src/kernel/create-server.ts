import { type Budgets, settleBudgets } from './budgets/budgets.ts'
import { createTraced } from './budgets/traced.ts'
import { Usage } from './budgets/usage.ts'
import { Announcer } from './calls/announcer.ts'
import type { ResultBounds } from './calls/bounds.ts'
import { changeBus } from './calls/change-bus.ts'
import { Changes } from './calls/changes.ts'
import { type KernelObserver, shield } from './calls/events.ts'
import type { Extension } from './calls/extension.ts'
import { createLedgers } from './calls/ledgers.ts'
import { Lifecycle, type Part } from './calls/lifecycle.ts'
import { Link } from './calls/link.ts'
import type { Listener } from './calls/listener.ts'
import { type Middleware, wrap } from './calls/middleware.ts'
import { createRelaying, type Relaying } from './calls/relaying.ts'
import type { FittingFor, LinkOptions, Server } from './calls/server.ts'
import { openWatched } from './calls/watched.ts'
import { type Catalogue, close, createCatalogue, type Offers } from './catalogue/catalogue.ts'
import { type FrontOptions, ToolFront } from './catalogue/front.ts'
import type { Implementation } from './definitions/implementation.ts'
import { DEFAULT_DIALECT, type Dialect } from './dialect.ts'
import { once } from './once.ts'
import type { Platform } from './ports/platform.ts'
import { dispatch } from './receive/admit.ts'
import { invoke } from './receive/invoke.ts'
import { receive } from './receive/receive.ts'
import type { Revision } from './revisions/revision.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'
import { ServerTasks } from './tasks/server-tasks.ts'

export interface ServerOptions {
  readonly info: Implementation
  readonly platform: Platform
  readonly offers: readonly Offers[]
  readonly middleware: readonly Middleware[]
  readonly observe: KernelObserver
  readonly dialect: Partial<Dialect>
  /** Revisions that only this server speaks. */
  readonly revisions: readonly Revision[]
  readonly extensions: readonly Extension[]
  readonly settings: Partial<Settings>
  readonly budgets?: Partial<Budgets>
  /** What stands before its tools, where not all of them are shown. */
  readonly front?: FrontOptions | undefined
  /** What holds its results to their budgets. */
  readonly bounds?: (() => ResultBounds) | undefined
  /** How tools are listed to a client that does not take every schema. */
  readonly fittingFor?: FittingFor | undefined
  /** What is opened and closed with the server, in the order of opening. */
  readonly parts?: (server: Server) => readonly Part[]
}

/** By then the greeting has left, whatever carries it. */
const AFTER_GREETING_MS = 1

/**
 * A server of what has been prepared; `defineServer` prepares what authors write.
 * @example
 * type Options = Parameters<typeof createServer>[0]
 * const open = (options: Options) => createServer(options).open({ outlet: NOWHERE })
 */
export function createServer(options: ServerOptions): Server {
  const { info, platform, offers, front } = options
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const listeners = new Set<Listener>()
  const relaying = createRelaying()
  const announcer = new Announcer(listeners, platform.after)
  const changes = new Changes(announcer, () => lifecycle.isClosing)
  const bounds = options.bounds && once(options.bounds)
  const catalogue = catalogueOf(options, settings, { changes, bounds })
  const given = { platform, budgets: settleBudgets(options.budgets), usage: new Usage() }
  const server: Server = {
    ...catalogue,
    ...given,
    ...createLedgers(given),
    traced: createTraced(),
    info,
    settings,
    dialect: { ...DEFAULT_DIALECT, ...options.dialect },
    revisions: options.revisions,
    extensions: settings.unscoped === 'closed' ? options.extensions.map(close) : options.extensions,
    ...createTasks(() => server, announcer, given),
    observe: shielded(options.observe, () => server.watchers),
    offers: familiesOf(offers, catalogue, relaying),
    front: front && new ToolFront(front, catalogue.tools, platform.validator),
    bounds,
    fittingFor: options.fittingFor,
    listeners,
    changes,
    relaying,
    greeted: once(() => platform.after(AFTER_GREETING_MS, () => platform.validator.prepare())),
    exits: new Set(),
    watchers: new Set(),
    handle: wrap(options.middleware, dispatch),
    // What stands after a spread is defined in the runtime, and such objects outlive the call of a stateless client.
    open: (opening) => openLink({ server, receive, ...opening }),
    invoke,
    updated: tellUpdated(announcer),
    end: () => endAll(listeners),
    start: () => lifecycle.start(),
    serve: (end) => lifecycle.serve(end),
    close: () => lifecycle.close(),
  }
  const lifecycle = createLifecycle(server, announcer, options.parts?.(server) ?? [])
  return watchValidator(server)
}

/** Everybody is told, or the one whose conversation it is. */
function tellUpdated(announcer: Announcer): Server['updated'] {
  return (resource, link) =>
    link === undefined ? announcer.tell({ resource }) : announcer.tellHere({ resource, link })
}

function catalogueOf(
  { offers, platform, front }: ServerOptions,
  { pageSize, unscoped, budget }: Settings,
  { changes, bounds }: Pick<Server, 'changes' | 'bounds'>,
): Catalogue {
  const changed: Changes['add'] = (list, audience) => changes.add(list, audience)
  const rest = bounds && { template: () => bounds().template, always: budget !== undefined }
  return createCatalogue({ offers, pageSize, validator: platform.validator, unscoped, front, rest, changed })
}

function endAll(listeners: ReadonlySet<Listener>): void {
  for (const listener of [...listeners]) listener.end()
}

/** Costs nothing more where nobody watches. */
function openLink(options: LinkOptions): Link {
  return options.server.watchers.size === 0 ? new Link(options) : openWatched(options)
}

/** The work on tasks begins with the last of the parts, and ends before the others. */
function createLifecycle(server: Server, announcer: Announcer, given: readonly Part[]): Lifecycle {
  const { tasks, hadTasks, platform, observe } = server
  const parts = platform.store.shared ? [...given, changeBus(server, announcer)] : given
  const work = { name: 'work on tasks', close: () => (hadTasks() ? tasks().close() : undefined) }
  return new Lifecycle({ parts: [...parts, work], after: platform.after, observe })
}

function watchValidator(server: Server): Server {
  const { usage, platform } = server
  usage.watch('maxSchemaParts', () => platform.validator.most.schemaParts)
  usage.watch('maxCheckSteps', () => platform.validator.most.checkSteps)
  return server
}

type Given = Pick<Server, 'platform' | 'budgets' | 'usage'>

/** The server is there when the first task is. */
function createTasks(
  server: () => Server,
  announcer: Announcer,
  given: Given,
): Pick<Server, 'tasks' | 'hadTasks'> {
  const create = () => createServerTasks(server, announcer, given)
  let made: ServerTasks | undefined
  return {
    tasks: () => {
      made ??= create()
      return made
    },
    hadTasks: () => made?.used === true,
  }
}

function createServerTasks(server: () => Server, announcer: Announcer, given: Given): ServerTasks {
  return new ServerTasks({
    ...given,
    changed: (task) => announcer.tellHere({ task }),
    interrupted: async (record) => (await import('./tasks/worker.ts')).takeOver(server(), record),
    // A store that is known to be in trouble is not told of again and again.
    failed: (error) => {
      if (given.platform.store.trouble() === undefined)
        server().observe({ kind: 'crashed', error, method: 'tasks' })
    },
  })
}

/** Which families of methods there are; a list that was given is there even when it is empty. */
function familiesOf(
  given: readonly Offers[],
  { tools, resources, templates, prompts }: Catalogue,
  { declared }: Relaying,
): Server['offers'] {
  const isGiven = (list: keyof Catalogue) => given.some((offers) => offers[list] !== undefined)
  const has = {
    tools: isGiven('tools'),
    resources: isGiven('resources') || isGiven('templates'),
    prompts: isGiven('prompts'),
  }
  return {
    get tools() {
      return has.tools || tools.size > 0 || declared.has('tools')
    },
    get resources() {
      return has.resources || resources.size + templates.size > 0 || declared.has('resources')
    },
    get prompts() {
      return has.prompts || prompts.size > 0 || declared.has('prompts')
    },
  }
}

/** Whoever watches hears of it after the observer, and fails on their own, too. */
function shielded(observe: KernelObserver, watchers: () => Server['watchers']): KernelObserver {
  const own = shield(observe)
  const others = shield((event) => {
    for (const watcher of watchers()) watcher.observed?.(event)
  })
  return (event) => {
    own(event)
    others(event)
  }
}
