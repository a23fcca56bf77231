import {
  type AuthorServer,
  callable,
  checkServer,
  findRevision,
  type JsonObject,
  NEWEST,
  type Principal,
  REVISIONS,
  settle,
} from '../kernel/index.ts'
import type { Client } from './client.ts'
import type { Notification } from './requesting.ts'

/** Answers a question of the server's, rightly or wrongly: elicitation, sampling, roots. */
export type Answerer = (params: JsonObject) => JsonObject | Promise<JsonObject>

/** Who the client is, what it can, and what it answers. */
export interface TestClientOptions {
  /** Which revision to speak; the newest unless said. */
  readonly revision?: string
  readonly capabilities?: JsonObject
  /** By method; having one for `elicitation/create` makes the client declare elicitation, and so on. */
  readonly answers?: { readonly [method: string]: Answerer }
  /** Who is calling, as an authenticator would say: `{ id: 'ann', scopes: ['files:read'] }`. */
  readonly principal?: Principal
}

/** A client in the same process: no transport, no ports, real protocol. */
export interface TestClient extends Omit<Client, 'notify' | 'close'> {
  /** The notifications heard so far, oldest first. */
  readonly notices: readonly Notification[]
  notify(method: string, params?: JsonObject): void
  close(): void
}

export interface TestSettings {
  readonly revision: string | undefined
  readonly capabilities: JsonObject
  readonly answers: { readonly [method: string]: Answerer }
  readonly principal: Principal | undefined
}

const DEFAULTS: TestSettings = { revision: undefined, capabilities: {}, answers: {}, principal: undefined }

/**
 * Talks to a server in the same process, through the real protocol, in any revision.
 * @example
 * const client = await createTestClient(server)
 * const { content } = await client.callTool('add', { a: 2, b: 40 })
 */
export async function createTestClient(
  server: AuthorServer,
  options: TestClientOptions = {},
): Promise<TestClient> {
  checkServer('createTestClient', server)
  const settings = settle<TestSettings>('createTestClient', DEFAULTS, options)
  for (const [method, answer] of Object.entries(settings.answers))
    callable(answer, `createTestClient: answers.${method}`)
  const revision = settings.revision === undefined ? NEWEST : findRevision(settings.revision)
  if (revision === undefined)
    throw new TypeError(
      `createTestClient: there is no revision ${options.revision}. Expected one of ${REVISIONS.map(({ id }) => id).join(', ')}`,
    )
  // Whoever only serves does not load a client.
  const { openTestClient } = await import('./open-test-client.ts')
  return openTestClient(server, revision, settings)
}
