import type { ReadyServer } from '../../servers/ready-server.ts'
import { startErrorOf } from '../about-setting.ts'
import { readConfig } from '../config.ts'
import { UsageError } from '../usage-error.ts'
import { serve } from './serve.ts'

/** How long changed modules may take to load. */
const START_MS = 15_000

/** Runs a server that is made of files: looks at one of them, serves them while they change, or simply serves them. */
export async function serveModules(
  ready: ReadyServer,
  args: readonly string[],
  command: string = ready.name,
): Promise<void> {
  const config = readConfig(ready, args)
  const { settings, switches, lists } = config
  if (switches.has('help') || switches.has('version')) return serve(ready, args, command)
  if (settings['check'] !== undefined) {
    const { checkModuleFile } = await import('../check-module.ts')
    return checkModuleFile(settings['check']).catch((error: unknown) => {
      throw startErrorOf(error, ready)
    })
  }
  if (!switches.has('watch')) return serve(ready, args, command)
  const [file, ...also] = lists['module'] ?? []
  if (file === undefined) throw new UsageError('watch: expected --module FILE, for there is nothing to watch')
  const { serveChanging } = await import('../dev/serve-changing.ts')
  await serveChanging(ready, {
    served: ready.name,
    logger: ready.name,
    file,
    also,
    args: process.argv.slice(2),
    config,
    startMs: START_MS,
  })
}
