import { describe, expect, it } from 'vitest'
import { createFetchHandler, createNodeHandler, MemoryStore, serveHttp } from '../../src/index.ts'
import { createSample } from './sample.ts'

const WAYS: readonly (readonly [string, (options: never) => unknown])[] = [
  ['serveHttp', (options) => serveHttp(createSample().server, options)],
  ['createNodeHandler', (options) => createNodeHandler(createSample().server, options)],
  ['createFetchHandler', (options) => createFetchHandler(createSample().server, options)],
]

/** What is refused before anybody calls, and what is said of it. */
const MISTAKES: readonly (readonly [object, string])[] = [
  [{ store: 'sqlite:x.db' }, 'store: expected a store, got a string: openStore(URL) opens one'],
  [{ store: {} }, 'store: expected a store, got an object without get()'],
  [{ store: null }, 'store: expected a store, got null'],
  [{ store: { ...plainStore(), trouble: undefined } }, 'expected a store, got an object without trouble()'],
  [{ authenticator: {} }, 'authenticator: authenticate: expected a function, got nothing'],
  [{ allowedHosts: [5] }, 'allowedHosts[0]: expected a string, got the number 5'],
  [{ allowedHosts: ['http://x'] }, 'allowedHosts: expected a name such as mcp.example.com'],
  [{ middleware: [{}] }, 'middleware[0]: expected a function, got an object'],
  [{ pages: { '/a': {} } }, "pages: /a.access: expected 'anybody' or 'callers', got nothing"],
  [{ pages: { '/sse': () => {} } }, 'pages: /sse is where MCP is served'],
  [{ card: 5 }, 'card: expected an object, got the number 5'],
  [{ path: 'mcp' }, 'path: expected a path such as /mcp, got the string "mcp"'],
  [{ health: 5 }, 'health: expected a path such as /healthz, got the number 5'],
  [{ sessionless: 'never' }, "sessionless: expected 'refused' or 'served', got the string \"never\""],
]

describe.each(WAYS)('%s refuses at once', (_name, serve) => {
  it.each(MISTAKES)('%j', async (options, said) => {
    await expect((async () => serve(options as never))()).rejects.toThrow(said)
  })
})

it.each([
  [{ supervise: true }, 'serveHttp: supervise: expected an object, got the boolean true'],
  [{ supervise: {} }, 'serveHttp: supervise.graceMs: expected a number, got nothing'],
  [{ greeting: 'always' }, "serveHttp: greeting: expected 'on-a-terminal' or 'none'"],
  [{ path: '/console', console: true }, 'path: /console is where the console is served'],
  [null, 'serveHttp: expected options, an object, got null'],
])('serveHttp refuses %j', async (options, said) => {
  await expect(serveHttp(createSample().server, options as never)).rejects.toThrow(said)
})

it('does not repeat the URL of a store, which may have a password in it', async () => {
  const store = 'redis://:hunter2@127.0.0.1' as never
  await expect(serveHttp(createSample().server, { store })).rejects.toThrow(/^(?!.*hunter2)/)
})

function plainStore(): object {
  const store = new MemoryStore()
  const names = Object.getOwnPropertyNames(MemoryStore.prototype) as (keyof MemoryStore)[] // Its own.
  return Object.fromEntries(names.map((name) => [name, store[name]]))
}
