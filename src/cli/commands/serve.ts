import type { Server } from '../../kernel/index.ts'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { serveStdio } from '../../transports/stdio/index.ts'
import { budgetsOf } from '../budgets.ts'
import { readConfig, readNumber, readOneOf } from '../config.ts'
import { operatorAdditions } from '../operator.ts'
import { sharedOf } from '../shared-store.ts'

const MAX_SECONDS = 86_400

/** Runs a ready server, on stdin and stdout or over HTTP. */
export async function serve(
  ready: ReadyServer,
  args: readonly string[],
  command: string = ready.name,
): Promise<void> {
  const config = readConfig(ready, args)
  const { switches, settings, lists } = config
  if (switches.has('help')) {
    const { usage } = await import('../usage.ts')
    return console.log(usage(ready, command))
  }
  const shutdownMs = readShutdown(settings['shutdown-timeout'])
  let { name } = ready
  const { modules, metrics } = await operatorAdditions(() => name, config)
  const shared = await sharedOf(ready, config)
  const budgets = budgetsOf(config)
  const trials: (() => Promise<unknown>)[] = []
  const atStart = (trial: () => Promise<unknown>) => void trials.push(trial)
  const unscoped = readOneOf('unscoped', settings['unscoped'], ['open', 'closed'])
  const server = await ready.create({
    settings: withSwitches(config),
    lists,
    modules: [...shared.modules, ...modules],
    budgets,
    unscoped,
    nodes: shared.nodes,
    sources: config.sources,
    atStart,
  })
  name = server.info.name
  if (switches.has('version')) return console.log(server.info.version)
  await shared.tryIt()
  if (config.transport === 'http') {
    const { runHttp } = await import('../serve-http.ts')
    await runHttp(ready, server, { config, shutdownMs, metrics })
    return tryAll(server, trials)
  }
  const greeting = settings['log-level'] === 'off' ? 'none' : 'on-a-terminal'
  serveStdio(server, { greeting, ...(shutdownMs !== undefined && patience(shutdownMs)) })
  await tryAll(server, trials)
}

/** Unless somebody says so, each transport knows how long is fit. */
function readShutdown(seconds: string | undefined): number | undefined {
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
