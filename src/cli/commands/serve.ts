import type { ReadyServer } from '../../servers/ready-server.ts'
import { serveStdio } from '../../transports/stdio/index.ts'
import { budgetsOf } from '../budgets.ts'
import { readConfig, readNumber, readOneOf } from '../config.ts'
import { operatorAdditions } from '../operator.ts'

const MAX_SECONDS = 86_400

/** Runs a ready server, on stdin and stdout or over HTTP. */
export async function serve(ready: ReadyServer, args: readonly string[]): Promise<void> {
  const config = readConfig(ready, args)
  const { switches, settings, lists } = config
  if (switches.has('help')) {
    const { usage } = await import('../usage.ts')
    return console.log(usage(ready))
  }
  const shutdownMs = readNumber('shutdown-timeout', settings['shutdown-timeout'], MAX_SECONDS) * 1000
  const { modules, metrics } = await operatorAdditions(ready.name, config)
  const budgets = budgetsOf(config)
  const unscoped = readOneOf('unscoped', settings['unscoped'], ['open', 'closed'])
  const server = await ready.create({ settings: withSwitches(config), lists, modules, budgets, unscoped })
  if (switches.has('version')) return console.log(server.info.version)
  if (config.transport === 'http') {
    const { runHttp } = await import('../serve-http.ts')
    return runHttp(ready, server, config, { shutdownMs, metrics })
  }
  if (process.stdin.isTTY && settings['log-level'] !== 'off') {
    const { greet } = await import('../welcome.ts')
    process.stderr.write(greet(ready))
  }
  serveStdio(server, { exitMs: shutdownMs })
}

/** A server finds its own switches among its settings. */
function withSwitches({ settings, switches }: { settings: object; switches: ReadonlySet<string> }) {
  return { ...settings, ...Object.fromEntries([...switches].map((name) => [name, 'true'])) }
}
