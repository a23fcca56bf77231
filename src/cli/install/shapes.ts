import { isObject, type JsonObject } from '../../kernel/index.ts'
import { type Installable, type LocalServer, type RemoteServer, variablesIn } from './installable.ts'

/** How a server stands in the settings of a host; undefined where that host cannot have it. */
export interface HostShape {
  local(server: LocalServer): JsonObject
  remote(server: RemoteServer): JsonObject | undefined
  /** What it has no words for. */
  readonly cannot?: (server: Installable) => string | undefined
}

/** What most hosts write, with what each of them adds to it. */
function common(words: {
  url?: string
  local?: JsonObject
  remote?: JsonObject
  both?: JsonObject
}): HostShape {
  return {
    local: ({ command, args, env }) => ({ ...words.local, command, ...full({ args, env }), ...words.both }),
    remote: ({ url, headers }) => ({
      ...words.remote,
      [words.url ?? 'url']: url,
      ...full({ headers }),
      ...words.both,
    }),
  }
}

/** What has something in it. */
function full(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, one]) => Object.keys(one as object).length > 0),
  )
}

const BEARER = /^Bearer \$\{\w+\}$/
const isVariable = (text: string) => /^\$\{[A-Za-z_]\w*\}$/.test(text)
const split = (
  values: { readonly [name: string]: string },
  test: (pair: readonly [string, string]) => boolean,
) =>
  [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(values).filter((pair) => test(pair) === wanted)),
  )

/** A variable is handed on under its own name, or is a whole header, or follows the word Bearer. */
const codex: HostShape = {
  cannot: (server) => renamed(server) ?? mixed(server) ?? outside(server),
  local({ command, args, env }) {
    const [handed = {}, literal = {}] = split(env, ([name, value]) => value === `\${${name}}`)
    return { command, ...full({ args, env: literal, env_vars: Object.keys(handed) }) }
  },
  remote({ url, headers }) {
    const [named = {}, others = {}] = split(headers, ([, value]) => isVariable(value))
    const bearer = Object.entries(others).find(
      ([name, value]) => /^authorization$/i.test(name) && BEARER.test(value),
    )
    const { [bearer?.[0] ?? '']: _told, ...literal } = others
    const variables = Object.entries(named).map(([name, value]) => [name, variablesIn(value)[0]])
    return {
      url,
      ...(bearer !== undefined && { bearer_token_env_var: variablesIn(bearer[1])[0] }),
      ...full({ http_headers: literal, env_http_headers: Object.fromEntries(variables) }),
    }
  },
}

function renamed(server: Installable): string | undefined {
  const env = 'url' in server ? [] : Object.entries(server.env)
  const wrong = env.find(([name, value]) => variablesIn(value).length > 0 && value !== `\${${name}}`)
  return wrong === undefined ? undefined : `hands on variables under their own names, and not as ${wrong[0]}`
}

function mixed(server: Installable): string | undefined {
  const headers = 'url' in server ? Object.entries(server.headers) : []
  const wrong = headers.find(
    ([name, value]) =>
      variablesIn(value).length > 0 &&
      !isVariable(value) &&
      !(/^authorization$/i.test(name) && BEARER.test(value)),
  )
  return wrong === undefined ? undefined : `takes a variable for a whole header, and ${wrong[0]} is more`
}

/** What is started, or where it is, stands there as it is. */
function outside(server: Installable): string | undefined {
  const texts = 'url' in server ? [server.url] : [server.command, ...server.args]
  const [wanted] = texts.flatMap(variablesIn)
  if (wanted === undefined) return undefined
  return `fills in no variables in ${'url' in server ? 'an address' : 'a command'}, and ${wanted} is one: give it as it is`
}

const opencode2: HostShape = {
  local: ({ command, args, env }) => ({
    ...{ type: 'local', command: [command, ...args] },
    ...full({ environment: env }),
  }),
  remote: ({ url, headers }) => ({ type: 'remote', url, ...full({ headers }) }),
}

const opencode: HostShape = {
  local: (server) => ({ ...opencode2.local(server), enabled: true }),
  remote: (server) => ({ ...opencode2.remote(server), enabled: true }),
}

/** Seconds; a server that asks a person may take long. */
const GOOSE_TIMEOUT = 300

const goose: HostShape = {
  cannot: (server) => renamed(server) ?? ('url' in server ? undefined : outside(server)),
  local({ name, command, args, env }) {
    const [handed = {}, literal = {}] = split(env, ([variable, value]) => value === `\${${variable}}`)
    return {
      ...{ enabled: true, type: 'stdio', name, description: '', cmd: command, args, envs: literal },
      ...{ env_keys: Object.keys(handed), timeout: GOOSE_TIMEOUT },
    }
  },
  remote: ({ name, url, headers }) => ({
    ...{ enabled: true, type: 'streamable_http', name, description: '', uri: url, envs: {} },
    ...{
      env_keys: [...new Set(Object.values(headers).flatMap(variablesIn))],
      headers,
      timeout: GOOSE_TIMEOUT,
    },
  }),
}

export const SHAPES = {
  plain: common({}),
  claudeCode: common({ local: { type: 'stdio' }, remote: { type: 'http' } }),
  claudeDesktop: { ...common({}), remote: () => undefined },
  vscode: common({ local: { type: 'stdio' }, remote: { type: 'http' } }),
  copilot: common({ local: { type: 'local' }, remote: { type: 'http' }, both: { tools: ['*'] } }),
  gemini: common({ url: 'httpUrl' }),
  windsurf: common({ url: 'serverUrl' }),
  crush: common({ local: { type: 'stdio' }, remote: { type: 'http' } }),
  codex,
  opencode,
  opencode2,
  goose,
} as const satisfies { readonly [name: string]: HostShape }

/** What an entry says, in whatever shape it was written; undefined where it is nothing that could be started or reached. */
export function readShape(name: string, entry: JsonObject): Installable | undefined {
  const words = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const texts = (...values: readonly unknown[]) => {
    const pairs = values.filter(isObject).flatMap((value) => Object.entries(value))
    return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]))
  }
  const url = [entry['url'], entry['httpUrl'], entry['serverUrl'], entry['uri']].find(
    (one) => typeof one === 'string',
  )
  if (typeof url === 'string') {
    const named = Object.entries(texts(entry['env_http_headers'])).map(([key, value]) => [
      key,
      `\${${value}}`,
    ])
    const token = entry['bearer_token_env_var']
    const bearer = typeof token === 'string' ? { Authorization: `Bearer \${${token}}` } : {}
    const headers = texts(entry['headers'], entry['http_headers'], Object.fromEntries(named), bearer)
    return { name, url, headers }
  }
  const [command, ...first] = [entry['command'], entry['cmd']].flatMap((one) =>
    typeof one === 'string' ? [one] : words(one),
  )
  if (command === undefined) return undefined
  const handed = [...words(entry['env_vars']), ...words(entry['env_keys'])].map((key) => [key, `\${${key}}`])
  const env = texts(entry['env'], entry['environment'], entry['envs'], Object.fromEntries(handed))
  return { name, command, args: [...first, ...words(entry['args'])], env }
}
