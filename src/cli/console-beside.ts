import type { Server } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { listenOnNode } from '../transports/http/node/listen.ts'
import { type Config, readNumber } from './config.ts'
import { consoleOf } from './console.ts'
import type { Apprentice } from './dev/apprentice.ts'
import { frontOf } from './dev/front.ts'

interface ConsoleBesideOptions {
  readonly config: Config
  /** The way to whoever holds the port for us, where somebody does. */
  readonly apprentice: Apprentice | undefined
}

/**
 * The console of a server on stdio: the same server, listening on this machine beside it. Whoever has started it may
 * call it, and nobody else could until now; so MCP is there for those who have the console's key.
 */
export async function serveConsoleBeside(
  ready: ReadyServer,
  server: Server,
  { config, apprentice }: ConsoleBesideOptions,
): Promise<void> {
  const wanted = consoleOf(ready, config)
  const close = { listener: async () => {} }
  server.serve(() => close.listener()) // Told before the listener itself, which would wait for what is under way there.
  const { sources, settings } = config
  const port = sources['port'] === '--port' ? readNumber('port', settings['port'], 65_535) : 0
  const listening = await listenOnNode(
    server,
    {
      port: apprentice?.port ?? port,
      console: { ...wanted, opensMcp: true },
      ssePair: true,
      greeting: 'none',
      card: false, // It is there for whoever has its key.
      supervise: false,
      successor: apprentice !== undefined,
    },
    frontOf(apprentice, '127.0.0.1'),
  )
  close.listener = async () => void (await listening.close(0))
  if (apprentice?.isFirst !== false)
    process.stderr.write(`${server.info.name} can be seen at ${listening.console}\n`)
}
