import {
  anything,
  BUDGET_NAMES,
  type Budgets,
  type Check,
  cacheHint,
  callable,
  type Dialect,
  describe,
  expecting,
  FAULTS,
  flag,
  icons,
  isObject,
  LOG_LEVELS,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  type Settings,
  text,
  texts,
} from '../kernel/index.ts'
import type { Module } from './define.ts'
import type { ServerDefinition } from './define-server.ts'

/** Throws a TypeError that names what is wrong with a definition; each tool and its like is looked at when it is added. */
export function checkDefinition(definition: ServerDefinition): void {
  membersOf(SERVER, { needed: ['name', 'version'], meant: MEANT })(definition, 'defineServer')
}

const list = listOf(anything)

const OFFERS = {
  tools: list,
  resources: list,
  templates: list,
  prompts: list,
  extensions: listOf(
    membersOf(
      { id: text, settings: object, handshake: flag, methods: object },
      { needed: ['id', 'settings', 'handshake', 'methods'] },
    ),
  ),
  middleware: listOf(callable),
  observe: callable,
  reports: flag,
}

const MODULE: Members<Module> = { ...OFFERS, name: text, ready: anything }

const modulesOf = membersOf({ ...MODULE }, { needed: ['name'] })

/** Most modules are made by functions, and it is easy to forget to call one. */
const module: Check = (value, where) => {
  if (typeof value === 'function')
    throw new TypeError(`${where}: expected a module, got a function: call it, ${value.name || 'f'}(…)`)
  modulesOf(value, where)
}

const milliseconds = expecting('a number of milliseconds', (value) => typeof value === 'number' && value >= 0)
const whole = expecting('a whole number above 0', (value) => Number.isInteger(value) && (value as number) > 0)

const SETTINGS: Members<Settings> = {
  instructions: text,
  logLevel: oneOf(...LOG_LEVELS),
  pageSize: whole,
  listCache: cacheHint,
  stateTtlMs: milliseconds,
  answerTimeoutMs: milliseconds,
  taskTtlMs: milliseconds,
  debug: flag,
  dynamicTools: flag,
}

const code = expecting(
  'a number, or { code, message }',
  (value) => typeof value === 'number' || (isObject(value) && typeof value['code'] === 'number'),
)

const DIALECT: Members<Dialect> = {
  codes: membersOf(Object.fromEntries(Object.keys(FAULTS).map((name) => [name, code]))),
  ping: oneOf('always', 'after-initialize'),
  ready: oneOf('after-initialize', 'after-initialized'),
  unknownVersion: oneOf('negotiate', 'refuse'),
  badArguments: oneOf('as-revision', 'fault', 'tool-result'),
  exit: oneOf('refused', 'allowed'),
  details: oneOf('few', 'many'),
  parameters: oneOf('in-params', 'also-on-top'),
  filters: oneOf('none', 'by-pattern'),
  lastModified: oneOf('in-annotations', 'on-top'),
}

const BUDGETS = Object.fromEntries(
  BUDGET_NAMES.map((name) => [name, expecting('a number', (value) => Number(value) >= 0)]),
) as Members<Budgets> // One entry for each name.

/** By its methods, since stores may be of anybody's making. */
const store: Check = (value, where) => {
  if (isObject(value) && typeof value['get'] === 'function' && typeof value['append'] === 'function') return
  const hint = typeof value === 'string' ? `: write openStore(${JSON.stringify(value)})` : ''
  throw new TypeError(`${where}: expected a store, got ${describe(value)}${hint}`)
}

const SERVER: Members<ServerDefinition> = {
  ...OFFERS,
  ...SETTINGS,
  name: text,
  version: text,
  title: text,
  description: text,
  websiteUrl: text,
  icons,
  modules: listOf(module),
  dialect: membersOf({ ...DIALECT }),
  revisions: list,
  schemas: listOf(object),
  formats: oneOf('noted', 'asserted'),
  store,
  secrets: texts,
  budgets: membersOf({ ...BUDGETS }),
}

/** What others call it, or where it stands. */
const MEANT = {
  resourceTemplates: 'templates',
  plugins: 'modules',
  capabilities: 'Capabilities follow from what is offered.',
  serverInfo: 'name and version stand here themselves.',
  authenticate: 'Who may call is said where it is served: serveHttp(server, { authenticator }).',
  authenticator: 'Who may call is said where it is served: serveHttp(server, { authenticator }).',
  port: 'Where it listens is said where it is served: serveHttp(server, { port }).',
  host: 'Where it listens is said where it is served: serveHttp(server, { host }).',
  transport: 'How it is served is said by serveStdio(server) or serveHttp(server).',
}
