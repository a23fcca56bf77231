import type { ReadyServer } from '../servers/ready-server.ts'
import { checkKey } from '../transports/http/console/access.ts'
import type { ServeConsoleOptions } from '../transports/http/console/index.ts'
import { isLoopback } from '../transports/http/guards/address.ts'
import { type Config, readConfig } from './config.ts'
import { UsageError } from './usage-error.ts'
import { readWorkers } from './workers/size.ts'

/** The console that was asked for; a mistake where there can be none. */
export function consoleOf(ready: ReadyServer, config: Config): ServeConsoleOptions | undefined {
  const { switches, sources } = config
  const key = consoleKeyOf(config)
  const fromNetwork = switches.has('console-from-network')
  if (!switches.has('console')) {
    if (key !== undefined) throw new UsageError('--console-key: there is no console: add --console')
    if (fromNetwork) throw new UsageError('--console-from-network: there is no console: add --console')
    return undefined
  }
  const reason = whyNot(ready, config)
  if (reason !== undefined) throw new UsageError(`${sources['console']}: ${reason}`)
  return { key, fromNetwork }
}

/** What opens the console, where somebody has chosen it; a variable may be there for other servers. */
export function consoleKeyOf({ settings, switches, sources }: Config): string | undefined {
  const [key, source] = [settings['console-key'], sources['console-key'] ?? '']
  if (key === undefined || !(switches.has('console') || source === '--console-key')) return undefined
  return checkConsoleKey(key, source)
}

/** Gives it back where it cannot be guessed. */
export function checkConsoleKey(key: string, source: string): string {
  try {
    checkKey(key)
    return key
  } catch (error) {
    throw new UsageError((error as Error).message.replace('console: key', source))
  }
}

/** The same arguments, with a console where there can be one. */
export function withConsole(ready: ReadyServer, args: readonly string[]): readonly string[] {
  const completed = ['--console', ...args]
  const config = readConfig(ready, completed) // What is for a console alone is meant for this one.
  const { switches } = config
  const isNone = switches.has('help') || switches.has('version') || whyNot(ready, config) !== undefined
  return isNone ? args : completed
}

/** Why a server has no console, if it can have none. */
function whyNot({ name, http }: ReadyServer, config: Config): string | undefined {
  const { settings, switches, transport } = config
  const { host = '' } = settings
  if (http.alone === true) return `${name} has nothing beside /mcp, and so no console`
  if (transport === 'stdio') return undefined
  if ((readWorkers(config) ?? 1) > 1)
    return 'a worker sees no messages but its own, so several have no console: leave out --workers, or --console'
  if (isLoopback(host) || switches.has('console-from-network')) return undefined
  return `${host} can be reached from other machines, and whoever sees the console sees every message: leave out --console, listen on 127.0.0.1, or add --console-from-network`
}
