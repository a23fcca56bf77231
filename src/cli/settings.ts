import { BUDGET_NAMES, BUDGETS, flagOf } from '../kernel/index.ts'
import type { ReadyServer, Setting } from '../servers/ready-server.ts'
import { HTTP_BUDGETS } from '../transports/http/budgets.ts'
import { PIPE_BUDGETS, SHARED_BUDGETS } from '../transports/stdio/budgets.ts'
import { SHOWN_SETTINGS } from './shown-settings.ts'

/** What one may want to choose for a server. */
export type SettingTable = { readonly [name: string]: Setting }

/** Everything that can be set for a server: its own settings, and those that all servers share. */
export function settingsOf(server: ReadyServer): SettingTable {
  return Object.assign({}, ...Object.values(groupsOf(server)))
}

/** The same, under the headings that help has. */
export function groupsOf(server: ReadyServer): { readonly [heading: string]: SettingTable } {
  return {
    ...(server.forms === undefined
      ? { Options: { ...server.settings, ...SWITCHES, ...commonSettings(server) } }
      : { Options: server.settings, 'As every server': { ...SWITCHES, ...commonSettings(server) } }),
    'Over HTTP': { ...httpSettings(server), ...HTTP_SWITCHES },
    'Budgets, for what callers can make grow': BUDGET_SETTINGS,
  }
}

/** Whether a setting does nothing on one of the transports. */
export function isNotFor(transport: 'stdio' | 'http' | 'socket', name: string, server: ReadyServer): boolean {
  if (transport === 'http') return PIPE_FLAGS.has(name)
  if (transport === 'socket' && SHARED_FLAGS.has(name)) return false
  return (
    HTTP_FLAGS.has(name) ||
    server.settings[name]?.over === 'http' ||
    Object.hasOwn(httpSettings(server), name) ||
    Object.hasOwn(HTTP_SWITCHES, name)
  )
}

const HTTP_FLAGS: ReadonlySet<string> = new Set(HTTP_BUDGETS.map(flagOf))
const PIPE_FLAGS: ReadonlySet<string> = new Set(PIPE_BUDGETS.map(flagOf))
const SHARED_FLAGS: ReadonlySet<string> = new Set(SHARED_BUDGETS.map(flagOf))

function commonSettings({ logLevel }: ReadyServer): SettingTable {
  return {
    'log-level': {
      environment: 'PERIGEE_LOG_LEVEL',
      placeholder: 'LEVEL',
      description: 'from which level on stderr tells of requests, or off',
      fallback: logLevel,
    },
    ...COMMON_SETTINGS,
  }
}

/** What several servers have in common. */
const SHARED_SETTINGS: SettingTable = {
  store: {
    environment: 'PERIGEE_STORE',
    placeholder: 'URL',
    description:
      'what servers share that answer for each other: redis://…, rediss://…, postgres://…, sqlite:PATH; unless given, each has its own memory',
  },
  secret: {
    kind: 'many',
    environment: 'PERIGEE_SECRET',
    placeholder: 'TEXT',
    description:
      'seals what clients carry from one server to another: the first seals, all open; may be repeated',
  },
}

const COMMON_SETTINGS: SettingTable = {
  'log-format': {
    environment: 'PERIGEE_LOG_FORMAT',
    placeholder: 'FORMAT',
    description: 'json or pretty; pretty on a terminal, unless said',
  },
  'rate-limit': {
    environment: 'PERIGEE_RATE_LIMIT',
    value: 'number',
    placeholder: 'N',
    description: 'how many calls a minute each caller may make',
  },
  timeout: {
    environment: 'PERIGEE_TIMEOUT',
    value: 'number',
    placeholder: 'SECONDS',
    description: 'how long a call may take, the time in which it waits for its client included',
  },
  'shutdown-timeout': {
    environment: 'PERIGEE_SHUTDOWN_TIMEOUT',
    value: 'number',
    placeholder: 'SECONDS',
    description:
      'how long calls may finish when it is told to stop: 30 over HTTP; on stdio 1 after a signal, 10 at the end of input',
  },
  socket: {
    placeholder: 'PATH',
    description: 'serve on a Unix socket, for this user alone; on Windows the name of a pipe',
  },
  ...SHOWN_SETTINGS,
  record: {
    environment: 'PERIGEE_RECORD',
    placeholder: 'FILE',
    description: 'writes every message to this file, without secrets, for perigee replay and mock',
  },
  ...SHARED_SETTINGS,
  'console-key': {
    environment: 'PERIGEE_CONSOLE_KEY',
    placeholder: 'KEY',
    description: 'what opens the console, instead of one that is made up at each start',
  },
  config: { placeholder: 'FILE', description: 'settings as JSON, by these names' },
}

function httpSettings({ http }: ReadyServer): SettingTable {
  const header = http.keyHeader ?? 'Authorization: Bearer'
  const whole = http.keyEnvironment === undefined ? '' : '; the variable is one key, whatever is in it'
  return {
    host: {
      environment: 'PERIGEE_HOST',
      placeholder: 'ADDRESS',
      description: 'where to listen',
      fallback: '127.0.0.1',
    },
    port: {
      ...(http.ownPort !== true && { environment: 'PORT' }),
      value: 'number',
      placeholder: 'N',
      description: 'the port to listen on',
      fallback: '8181',
    },
    workers: {
      environment: 'PERIGEE_WORKERS',
      value: 'number',
      placeholder: 'N',
      description: 'how many processes serve on that port, or auto for one a processor; one unless said',
    },
    key: {
      environment: http.keyEnvironment ?? 'PERIGEE_API_KEY',
      placeholder: 'KEY',
      description: `who may call, in ${header}: a key, or name=key[:scope+scope],…${whole}`,
    },
    'key-file': {
      environment: 'PERIGEE_KEY_FILE',
      placeholder: 'FILE',
      description: 'the same as JSON: [{"name", "key" or "sha256", "scopes"}]',
    },
    unscoped: {
      environment: 'PERIGEE_UNSCOPED',
      placeholder: 'HOW',
      description: 'what asks for no scope, to callers who have scopes: open or closed',
      fallback: 'open',
    },
    ...TOKEN_SETTINGS,
    ...ADDRESS_SETTINGS,
  }
}

/** Whose tokens are taken, and what they open. */
const TOKEN_SETTINGS: SettingTable = {
  issuer: {
    environment: 'PERIGEE_ISSUER',
    placeholder: 'URL',
    description: 'whose OAuth tokens are taken',
  },
  resource: {
    environment: 'PERIGEE_RESOURCE',
    placeholder: 'URL',
    description: 'the address of this server that tokens must be made for',
  },
  grant: {
    kind: 'many',
    environment: 'PERIGEE_GRANT',
    placeholder: 'SCOPE',
    description: 'what every token may use, whatever its issuer says; may be repeated',
  },
}

/** Where it is found, and by whom. */
const ADDRESS_SETTINGS: SettingTable = {
  path: {
    environment: 'PERIGEE_PATH',
    placeholder: 'PATH',
    description: 'where MCP is served; /sse and /messages stand beside it',
    fallback: '/mcp',
  },
  base: {
    environment: 'PERIGEE_BASE',
    placeholder: 'PATH',
    description: 'what a proxy takes off the front of paths',
  },
  card: {
    environment: 'PERIGEE_CARD',
    placeholder: 'NAME',
    description: 'what it is called where it is found, such as com.example/weather; off has no server card',
  },
  'allow-host': {
    kind: 'many',
    environment: 'PERIGEE_ALLOW_HOST',
    placeholder: 'NAME',
    description: 'a name by which clients may reach it; may be repeated',
  },
  'allow-origin': {
    kind: 'many',
    environment: 'PERIGEE_ALLOW_ORIGIN',
    placeholder: 'ORIGIN',
    description: 'a web page that may call it; may be repeated',
  },
}

/** A flag for every budget. */
const BUDGET_SETTINGS: SettingTable = Object.fromEntries(
  BUDGET_NAMES.map((name) => {
    const { of, unit, limit } = BUDGETS[name]
    const flag = flagOf(name)
    const setting: Setting = {
      environment: `PERIGEE_${flag.replaceAll('-', '_').toUpperCase()}`,
      value: 'number',
      placeholder: unit === 'bytes' ? 'BYTES' : 'N',
      description: `at most: ${of}`,
      fallback: String(limit),
    }
    return [flag, setting]
  }),
)

const SWITCHES: SettingTable = {
  stdio: { kind: 'switch', description: 'serve on stdin and stdout' },
  http: { kind: 'switch', description: 'serve over HTTP' },
  console: {
    kind: 'switch',
    environment: 'PERIGEE_CONSOLE',
    description: 'a page on this machine that shows every message, and calls what it offers',
  },
  help: { kind: 'switch', description: 'this text' },
  version: { kind: 'switch', description: 'its version' },
}

const HTTP_SWITCHES: SettingTable = {
  metrics: { kind: 'switch', environment: 'PERIGEE_METRICS', description: 'serve /metrics for Prometheus' },
  'console-from-network': {
    kind: 'switch',
    description: 'let the console be seen from other machines, by those who have its key',
  },
  'allow-anonymous': {
    kind: 'switch',
    description: 'let anybody call who can reach it, from other machines too',
  },
}
