import type { Server } from '../../kernel/index.ts'
import { greet } from '../../process/greet.ts'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { serveStdio } from '../../transports/stdio/index.ts'
import { startErrorOf } from '../about-setting.ts'
import { budgetsOf } from '../budgets.ts'
import { type Config, readConfig, readNumber, readOneOf } from '../config.ts'
import type { Apprentice } from '../dev/apprentice.ts'
import { openLog } from '../log.ts'
import { type Additions, operatorAdditions } from '../operator.ts'
import type { HttpWorker } from '../serve-http.ts'
import { checkSealed, sharedOf } from '../shared-store.ts'
import { UsageError } from '../usage-error.ts'
import { INHERITANCE, type Inheritance } from '../workers/inheritance.ts'
import { readWorkers } from '../workers/size.ts'

const MAX_SECONDS = 86_400

/** Runs a ready server, on stdin and stdout or over HTTP. */
export async function serve(
  ready: ReadyServer,
  args: readonly string[],
  command: string = ready.name,
): Promise<void> {
  const config = readConfig(ready, args)
  const { switches, settings } = config
  if (switches.has('help')) {
    const { usage } = await import('../usage.ts')
    return console.log(usage(ready, command))
  }
  await checkConsole(ready, config)
  const shutdownMs = readShutdown(settings['shutdown-timeout'])
  const size = readWorkers(config)
  const inheritance = size === undefined ? undefined : INHERITANCE.take()
  if (size !== undefined && inheritance === undefined && !switches.has('version')) {
    const { runWorkers } = await import('../workers/primary.ts')
    return runWorkers({ name: ready.name, config, size, shutdownMs })
  }
  const serving = { config, shutdownMs, inheritance }
  if (inheritance === undefined) return serveHere(ready, serving)
  const { tellFailed } = await import('../workers/worker.ts')
  await serveHere(ready, serving).catch(tellFailed)
}

/** What is wrong with the console that was asked for is told before anything is started. */
async function checkConsole(ready: ReadyServer, config: Config): Promise<void> {
  const { switches, sources } = config
  const isAsked = switches.has('console') || switches.has('console-from-network')
  if (isAsked || sources['console-key'] === '--console-key')
    (await import('../console.ts')).consoleOf(ready, config)
}

interface Serving {
  readonly config: Config
  readonly shutdownMs: number | undefined
  /** What a worker has been given. */
  readonly inheritance?: Inheritance | undefined
  /** The way to whoever holds the pipe or the port for us. */
  readonly apprentice?: Apprentice
}

const LEAST_TOKENS = 200

function readBudget(text: string): { readonly tokens: number } {
  const tokens = readNumber('budget', text, 10_000_000)
  if (tokens < LEAST_TOKENS)
    throw new UsageError(`budget: expected ${LEAST_TOKENS} tokens or more, got ${tokens}`)
  return { tokens }
}

/** Serves in this process. */
export async function serveHere(ready: ReadyServer, serving: Serving): Promise<void> {
  try {
    await startHere(ready, serving)
  } catch (error) {
    throw startErrorOf(error, ready, serving.config.sources)
  }
}

async function startHere(ready: ReadyServer, serving: Serving): Promise<void> {
  const { config, inheritance, apprentice } = serving
  const { switches, settings } = config
  const worker = await joinWorkers(inheritance)
  let { name } = ready
  const log = openLog(() => name, config)
  const { modules, metrics } = await operatorAdditions(() => name, config, log)
  const shared = await sharedOf(ready, config, inheritance ?? apprentice)
  const trials: (() => Promise<unknown>)[] = []
  const server = await ready.create({
    settings: { ...withSwitches(config), store: shared.url },
    lists: config.lists,
    modules: [...shared.modules, ...modules, ...(apprentice?.modules ?? [])],
    budgets: budgetsOf(config),
    unscoped: readOneOf('unscoped', settings['unscoped'], ['open', 'closed']),
    shown: {
      offer: readOneOf('offer', settings['offer'], ['all', 'search', 'code', 'auto']),
      destructive: readOneOf('destructive', settings['destructive'], ['ask', 'allow']),
      fit: readOneOf('fit', settings['fit'], ['host', 'off']),
      ...(settings['budget'] !== undefined && { budget: readBudget(settings['budget']) }),
    },
    nodes: shared.nodes,
    named: shared.named,
    sources: config.sources,
    atStart: (trial) => void trials.push(trial),
    note: apprentice === undefined ? log.note : undefined, // There, whoever waits for it tells so.
  })
  name = server.info.name
  if (switches.has('version')) return console.log(server.info.version)
  try {
    checkSealed(server, config)
    await shared.tryIt()
    await recordBy(server, settings['record'])
    await serveBy(ready, server, { ...serving, metrics, worker })
  } catch (error) {
    // What is open would keep the process; why it does not serve is told already.
    await Promise.allSettled([server.close(), shared.close()])
    throw error
  }
  await tryAll(server, trials)
}

interface ServingBy extends Serving {
  readonly metrics: Additions['metrics']
  readonly worker: HttpWorker | undefined
}

async function serveBy(ready: ReadyServer, server: Server, serving: ServingBy): Promise<void> {
  const { config, shutdownMs, metrics, worker, apprentice } = serving
  if (config.transport === 'http') {
    const { runHttp } = await import('../serve-http.ts')
    return runHttp(ready, server, { config, shutdownMs, metrics, worker, apprentice })
  }
  if (config.switches.has('console')) {
    const { serveConsoleBeside } = await import('../console-beside.ts')
    await serveConsoleBeside(ready, server, { config, apprentice })
  }
  await (config.transport === 'socket' ? serveOnSocket : serveOnStdio)(server, { ...serving, ready })
}

interface ServedBy {
  readonly ready: ReadyServer
}

/** Before anybody speaks. */
async function recordBy(server: Server, path: string | undefined): Promise<void> {
  if (path === undefined) return
  const { recordServer } = await import('../../recording/record-server.ts')
  try {
    recordServer(server, path)
  } catch (error) {
    throw new UsageError(`record: ${path} cannot be written: ${(error as Error).message}`)
  }
}

async function serveOnStdio(server: Server, serving: Serving & ServedBy): Promise<void> {
  const { ready, config, shutdownMs, apprentice } = serving
  if (apprentice !== undefined) await server.start()
  if (config.settings['log-level'] !== 'off') greet(server.info.name, ready.hostWords)
  serveStdio(server, { greeting: 'none', ...(shutdownMs !== undefined && patience(shutdownMs)) })
  apprentice?.ready(server)
}

async function serveOnSocket(server: Server, { config, shutdownMs }: Serving): Promise<void> {
  const { serveSocket } = await import('../../transports/stdio/socket.ts')
  const { settings } = config
  const listening = await serveSocket(server, {
    path: settings['socket'] ?? '',
    ...(shutdownMs !== undefined && { supervise: { graceMs: shutdownMs } }),
  })
  const { endAll } = await import('../../process/supervise.ts')
  server.exits.add(() => void endAll())
  if (settings['log-level'] !== 'off')
    process.stderr.write(`${server.info.name} listens at ${listening.path}; Ctrl-C ends it.\n`)
}

async function joinWorkers(inheritance: Inheritance | undefined): Promise<HttpWorker | undefined> {
  if (inheritance === undefined) return undefined
  const { Membership } = await import('../workers/worker.ts')
  return { membership: new Membership(inheritance.folder), port: inheritance.port }
}

/** Unless somebody says so, each transport knows how long is fit. */
export function readShutdown(seconds: string | undefined): number | undefined {
  return seconds === undefined ? undefined : readNumber('shutdown-timeout', seconds, MAX_SECONDS) * 1000
}

function patience(ms: number) {
  return { finishMs: ms, stopMs: ms, exitMs: ms }
}

/** What a server needs is tried at once, so that whoever starts it hears of it, and not its first client. */
async function tryAll(server: Server, trials: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(
    trials.map((trial) =>
      trial().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        server.observe({
          kind: 'noted',
          level: 'error',
          message: `${reason} (tried again with the next call)`,
        })
      }),
    ),
  )
}

/** A server finds its own switches among its settings. */
function withSwitches({ settings, switches }: { settings: object; switches: ReadonlySet<string> }) {
  return { ...settings, ...Object.fromEntries([...switches].map((name) => [name, 'true'])) }
}
