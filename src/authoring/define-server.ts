import { createBounds } from '../context/budget/bound.ts'
import { fittingFor } from '../context/fitting.ts'
import { frontOf, scriptsOf } from '../context/front.ts'
import type { Embed } from '../context/search/embedded.ts'
import {
  type Budgets,
  createServer,
  DEFAULT_SETTINGS,
  type Dialect,
  type Extension,
  findLoading,
  type Implementation,
  type KernelObserver,
  type Loading,
  type Middleware,
  type Offers,
  type OpenSandbox,
  type Part,
  type Revision,
  type Server,
  type Settings,
  type Store,
  shield,
  wrap,
} from '../kernel/index.ts'
import { createPlatform } from '../platform/index.ts'
import { createValidator } from '../schema/index.ts'
import { measured } from '../stores/measured.ts'
import { MemoryStore } from '../stores/memory.ts'
import { checkDefinition } from './check-definition.ts'
import { checkViews } from './check-views.ts'
import { type Module, toModule } from './define.ts'
import { originOf, ownMiddleware, serverFor } from './origin.ts'
import { createReport } from './report.ts'

export type { Embed } from '../context/search/embedded.ts'

/** A server as a value: who it is, what it offers, and the few things one may want to choose. */
export interface ServerDefinition
  extends Implementation,
    Omit<Module, 'name' | 'description' | 'prefix' | 'wraps'>,
    Partial<Settings> {
  /** A module whose options can all be left out may be listed without being called. */
  readonly modules?: readonly (Module | (() => Module))[]
  readonly dialect?: Partial<Dialect>
  /** Revisions of its own that a client may open with, beside those of MCP. */
  readonly revisions?: readonly Revision[]
  /**
   * Where sessions' events and tasks are kept; in memory unless said. One that is given by its URL, `sqlite:PATH`, is
   * closed with the server; one that somebody has opened stays theirs to close.
   */
  readonly store?: Store | string
  /** Seals what clients carry between two rounds of a call; several processes that share clients share these. */
  readonly secrets?: readonly string[]
  /** What callers can make grow, and how far; see docs/OPERATORS.md. */
  readonly budgets?: Partial<Budgets>
  /** Makes vectors of texts, for a `search` among tools by meaning as well as by words. */
  readonly embed?: Embed
  /** JSON Schemas that those of tools may refer to, by their URIs: nothing is ever fetched. */
  readonly schemas?: { readonly [uri: string]: unknown }
  /** Whether a text that is not of its `format` is refused. A note, as in JSON Schema itself, unless said. */
  readonly formats?: 'noted' | 'asserted'
  /** What scripts run in where models write them, `offer: 'code'`: QuickJS, unless said, if it is installed. */
  readonly sandbox?: OpenSandbox
}

type OpenStore = (url: string) => Store

/** Where files can be, a URL may name more than the memory. */
const openNothing: OpenStore = () => {
  throw new TypeError('store: expected a store or memory:, since there are no files here')
}

function openKept(kept: Store | string, openStore: OpenStore): Store {
  if (kept === 'memory:') return new MemoryStore()
  return typeof kept === 'string' ? openStore(kept) : kept
}

/** Makes a server of a definition; what is wrong with it is a TypeError here, and not a surprise later. */
export function defineServer(given: ServerDefinition, openStore = openNothing): Server {
  const definition = withModules(given)
  checkDefinition(definition)
  const { name, version, title, description, websiteUrl, icons } = definition
  const { modules = [], dialect = {}, revisions = [], schemas = {}, formats = 'noted' } = definition
  const operator = operatorsPart()
  const { store: kept = 'memory:', secrets = [] } = { ...definition, ...nodesFor(definition, operator) }
  const opened = openKept(kept, openStore)
  // What is asked of memory takes no time worth telling.
  const store = opened.shared ? measured(opened, (event) => server.observe(event)) : opened
  const budgets = { ...definition.budgets, ...operator.budgets }
  const settings: Partial<Settings> = { ...settingsOf(definition), ...operator.settings }
  const scripts = settings.offer === 'code' ? scriptsOf(definition.sandbox) : undefined
  const parts = [...operator.modules, ownModule(definition), ...modules]
  const server: Server = createServer({
    info: defined({ name, version, title, description, websiteUrl, icons }),
    platform: createPlatform({
      validator: createValidator({ schemas, formats, budgets }),
      store,
      secrets,
    }),
    offers: parts.map((part) => ({ ...offersOf(part), origin: originOf(part) })),
    middleware: [...wrapping('outermost', parts), ...wrapping('server', parts)],
    observe: observeAll(observersOf(parts)),
    dialect,
    revisions,
    extensions: parts.flatMap(extensionsOf),
    settings,
    budgets,
    bounds: createBounds,
    fittingFor,
    front:
      settings.offer === undefined || settings.offer === 'all'
        ? undefined
        : frontOf(settings.offer, { embed: definition.embed, scripts }),
    parts: (server) => [
      ...storeOf(kept, store),
      ...(scripts === undefined ? [] : [scripts.part(server)]),
      ...parts.map((part) => lifetimeOf(part, server)),
    ],
  })
  return checkViews(server)
}

/** What a server offers itself is a module like any other, whose middleware wraps every call. */
function ownModule(definition: Made): Module {
  const { name, tools, resources, templates, prompts, extensions } = definition
  const { middleware, observe, reports, open, ready, close } = definition
  return defined({
    name,
    wraps: 'server' as const,
    tools,
    resources,
    templates,
    prompts,
    extensions,
    middleware,
    observe,
    reports,
    open,
    ready,
    close,
  })
}

interface Made extends ServerDefinition {
  readonly modules?: readonly Module[]
}

/** With every module made; what is no list of them is left to be complained of. */
function withModules(definition: ServerDefinition): Made {
  const modules: unknown = definition?.modules
  const unmade = Array.isArray(modules) && modules.some((one) => typeof one === 'function')
  return unmade ? { ...definition, modules: modules.map(toModule) } : (definition as Made) // There is nothing to make.
}

interface OperatorsPart extends Pick<Loading, 'budgets' | 'settings' | 'nodes' | 'otherwise'> {
  readonly modules: readonly Module[]
}

/** A command that serves a server from a file adds to it what it would add to one of its own. */
function operatorsPart(): OperatorsPart {
  const loading = findLoading()
  if (loading === undefined) return { modules: [], budgets: {}, settings: {}, nodes: {}, otherwise: {} }
  loading.taken = true
  return { ...loading, modules: loading.modules as readonly Module[] } // The command's own.
}

/** What the operator names comes first, and what stands otherwise comes last. */
function nodesFor({ store, secrets }: Made, { nodes, otherwise }: OperatorsPart): OperatorsPart['nodes'] {
  const own = store !== undefined && store !== 'memory:' && (typeof store === 'string' || store.shared)
  return {
    ...(!own && otherwise.store !== undefined && { store: otherwise.store }),
    ...(secrets === undefined && otherwise.secrets !== undefined && { secrets: otherwise.secrets }),
    ...nodes,
  }
}

/** What the server has opened itself is its own to close. */
function storeOf(given: Store | string, store: Store): readonly Part[] {
  return typeof given === 'string' ? [{ name: 'store', close: () => store.close() }] : []
}

function lifetimeOf(module: Module, server: Server): Part {
  const seen = serverFor(originOf(module), server)
  return {
    name: `module ${module.name}`,
    open: module.open && (() => module.open?.(seen)),
    ready: module.ready && (() => module.ready?.(seen)),
    close: module.close && (() => module.close?.(seen)),
  }
}

/** Whatever wraps every call of the server, in the order in which its modules are listed. */
function wrapping(wraps: 'server' | 'outermost', parts: readonly Module[]): readonly Middleware[] {
  const found = parts.filter((part) => part.wraps === wraps).flatMap((part) => part.middleware ?? [])
  return found as readonly unknown[] as readonly Middleware[] // The kernel's calls are theirs, and more.
}

/** The methods of a module's extensions are its own calls, too. */
function extensionsOf(module: Module): readonly Extension[] {
  const middleware = ownMiddleware(module)
  const { extensions = [] } = module
  if (middleware.length === 0) return extensions
  return extensions.map((extension) => ({
    ...extension,
    methods: Object.fromEntries(
      Object.entries(extension.methods).map(([name, handle]) => [name, wrap(middleware, handle)]),
    ),
  }))
}

/** A list that no part has is a list the server does not have. */
function offersOf({ tools, resources, templates, prompts }: Module): Offers {
  return { tools, resources, templates, prompts }
}

function observersOf(parts: readonly Module[]): readonly KernelObserver[] {
  const observers = parts.flatMap((part) => (part.observe === undefined ? [] : shield(part.observe)))
  return parts.some((part) => part.reports === true) ? observers : [...observers, createReport()]
}

function observeAll(observers: readonly KernelObserver[]): KernelObserver {
  return (event) => {
    for (const observe of observers) observe(event)
  }
}

/** The settings among the members of a definition. */
function settingsOf(definition: ServerDefinition): Partial<Settings> {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[] // Object.keys does not say so itself.
  return defined(Object.fromEntries(names.map((name) => [name, definition[name]])))
}

type Defined<Type> = { [Key in keyof Type]: Exclude<Type[Key], undefined> }

function defined<Type extends object>(value: Type): Defined<Type> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<Type>
}
