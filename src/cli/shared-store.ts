import type { Module } from '../authoring/define.ts'
import type { Loading, Server, Store } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { lacksSecrets } from '../transports/http/nodes/check-secrets.ts'
import type { Config } from './config.ts'
import { UsageError } from './usage-error.ts'

/** What whoever has started this process gives it to share with others. */
export interface Inherited {
  readonly store: string | Store
  readonly secret: string
}

/** What a server shares with others like it, where the operator says so. */
export interface Shared {
  /** Its URL, for whoever keeps something beside it. */
  readonly url: string | undefined
  readonly nodes: Loading['nodes']
  /** What of that the operator has named. */
  readonly named: Loading['nodes']
  /** What closes it. */
  readonly modules: readonly Module[]
  /** Rejects, with a sentence, when the store cannot be used. */
  tryIt(): Promise<void>
  /** For a server that does not come to be served, which closes nothing. */
  close(): Promise<void>
}

/** The store that `--store` names, which is opened when it is tried, and the secrets of `--secret`. */
export async function sharedOf(
  ready: ReadyServer,
  config: Config,
  inherited: Inherited | undefined,
): Promise<Shared> {
  const given = config.lists['secret'] ?? []
  for (const secret of given) checkSecret(secret, config.sources['secret'])
  const named = config.settings['store']
  const chosen = named !== undefined && isShared(ready, config, named) ? named : undefined
  const found = chosen ?? inherited?.store
  const secrets = secretsOf(given, typeof found === 'string' && isEngine(found) ? undefined : inherited)
  const typed = given.length === 0 ? {} : { secrets: given }
  const beside = named ?? (ready.storeIs === 'task-list' || typeof found !== 'string' ? undefined : found)
  if (found === undefined)
    return { url: beside, nodes: secrets, named: typed, modules: [], tryIt: nothing, close: nothing }
  const store = typeof found === 'string' ? await open(found) : found
  return {
    url: beside,
    nodes: { store, ...secrets },
    named: chosen === undefined ? typed : { store, ...typed },
    modules: [{ name: 'store', wraps: 'server', close: () => store.close() }],
    tryIt: async () => void (await store.get('')),
    close: () => store.close(),
  }
}

const nothing = async () => {}

/** Over HTTP, others may have to open what this one seals; the server of a file may have secrets of its own. */
export function checkSealed(server: Server, { transport, sources }: Config): void {
  if (transport !== 'http' || !lacksSecrets(server)) return
  throw new UsageError(
    `${sources['store'] ?? 'store'}: servers that share a store seal what clients carry from one to the other: set PERIGEE_SECRET to a long text that nobody can guess, the same for each`,
  )
}

/** Whoever can guess one can make up what clients carry, so nothing of it is repeated. */
const SHORTEST = 16

function checkSecret({ length }: string, source = '--secret'): void {
  if (length >= SHORTEST) return
  throw new UsageError(
    `${source}: expected at least ${SHORTEST} characters that nobody can guess, got ${length}: head -c 32 /dev/urandom | base64 makes some`,
  )
}

/** Workers need no others to know theirs, unless other machines share their store. */
function secretsOf(given: readonly string[], inherited: Inherited | undefined): Loading['nodes'] {
  if (given.length > 0) return { secrets: given }
  return inherited === undefined ? {} : { secrets: [inherited.secret] }
}

/** What bossman's `--store` names was its task list before there were nodes, and a file goes on being that alone. */
function isShared({ storeIs }: ReadyServer, { transport }: Config, url: string): boolean {
  if (storeIs !== 'task-list') return true
  return /^rediss?:/.test(url) || (isEngine(url) && transport === 'http')
}

function isEngine(url: string): boolean {
  return /^(rediss?|postgres(ql)?):/.test(url)
}

async function open(url: string): Promise<Store> {
  const { openStore } = await import('../stores/index.ts')
  try {
    return openStore(url)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
