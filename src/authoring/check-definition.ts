import {
  anything,
  BUDGET_NAMES,
  type Check,
  callable,
  checkDialect,
  checkStore,
  describe,
  type Extension,
  expecting,
  flag,
  icons,
  isObject,
  later,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  SETTING_CHECKS,
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

const EXTENSION = later(() =>
  membersOf(
    {
      id: text,
      settings: object,
      handshake: flag,
      methods: object,
      scopes: texts,
    } satisfies Members<Extension>,
    { needed: ['id', 'settings', 'handshake', 'methods'] },
  ),
)

const OFFERS = {
  tools: list,
  resources: list,
  templates: list,
  prompts: list,
  extensions: listOf(EXTENSION),
  middleware: listOf(callable),
  observe: callable,
  reports: flag,
  open: callable,
  ready: callable,
  close: callable,
}

const modulesOf = later(() =>
  membersOf(
    {
      ...OFFERS,
      name: text,
      description: text,
      prefix: text,
      wraps: oneOf('own', 'server', 'outermost'),
    } satisfies Members<Module>,
    { needed: ['name'] },
  ),
)

/** Most modules are made by functions, and it is easy to forget to call one. */
const module: Check = (value, where) => {
  if (typeof value === 'function')
    throw new TypeError(`${where}: expected a module, got a function: call it, ${value.name || 'f'}(…)`)
  modulesOf(value, where)
}

/** All revisions are spoken; those that are added are objects like ours, as the name of one is not. */
const revision: Check = (value, where) => {
  if (isObject(value) && 'id' in value && 'requests' in value) return
  throw new TypeError(
    `${where}: expected a revision of your own, an object, got ${describe(value)}. Those of MCP are all spoken without being named`,
  )
}

/** 0 is none at all, and Infinity is no limit. */
const LIMIT = expecting('a whole number from 0 on', (value) =>
  Number.isInteger(value) ? Number(value) >= 0 : value === Number.POSITIVE_INFINITY,
)

const budgets = later(() => membersOf(Object.fromEntries(BUDGET_NAMES.map((name) => [name, LIMIT]))))

/** What a URL should be is known to what opens it. */
const store: Check = (value, where) => {
  if (typeof value !== 'string') checkStore(value, where, "a store or a URL such as 'sqlite:PATH'")
}

const SERVER: Members<ServerDefinition> = {
  ...OFFERS,
  ...SETTING_CHECKS,
  name: text,
  version: text,
  title: text,
  description: text,
  websiteUrl: text,
  icons,
  modules: listOf(module),
  dialect: checkDialect,
  revisions: listOf(revision),
  embed: callable,
  schemas: object,
  formats: oneOf('noted', 'asserted'),
  sandbox: callable,
  store,
  secrets: texts,
  budgets,
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
