import type { ReadyServer } from '../../servers/ready-server.ts'
import { serveStdio } from '../../transports/stdio/index.ts'
import { readConfig } from '../config.ts'

/** Runs a ready server, on stdin and stdout or over HTTP. */
export async function serve(ready: ReadyServer, args: readonly string[]): Promise<void> {
  const config = readConfig(ready, args)
  const { switches, settings } = config
  if (switches.has('help')) {
    const { usage } = await import('../usage.ts')
    return console.log(usage(ready))
  }
  const server = ready.create({ settings, writeLog: (line) => process.stderr.write(line) })
  if (switches.has('version')) return console.log(server.info.version)
  if (config.transport === 'http') {
    const { runHttp } = await import('../serve-http.ts')
    return runHttp(ready, server, config)
  }
  if (process.stdin.isTTY) {
    const { greet } = await import('../welcome.ts')
    process.stderr.write(greet(ready))
  }
  serveStdio(server)
}
