import { resolve } from 'node:path'
import { warmUp } from '../../process/import-file.ts'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { readShutdown, serveHere } from '../commands/serve.ts'
import { StartError } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'
import { findApprentice } from './apprentice.ts'
import type { DevelopmentOptions } from './development.ts'

/** Serves what is being worked on: this process holds the pipe or the port, unless it was started by one that does. */
export async function serveChanging(ready: ReadyServer, options: DevelopmentOptions): Promise<void> {
  const { config, file } = options
  const shutdownMs = readShutdown(config.settings['shutdown-timeout'])
  const apprentice = findApprentice()
  if (apprentice !== undefined) {
    await warmUp(resolve(file))
    if (config.transport === 'http') await import('../serve-http.ts')
    const instead = await apprentice.told()
    const served = instead === undefined ? ready : emptyServer(ready, instead)
    return serveHere(served, { config, shutdownMs, apprentice }).catch((error: StartError) => {
      apprentice.failed(error)
      throw new StartError(error.exitCode, '')
    })
  }
  if (config.settings['workers'] !== undefined)
    throw new UsageError(
      `${config.sources['workers']}: a server that is being worked on is one process: leave it out`,
    )
  if (config.transport === 'socket')
    throw new UsageError('socket: what is worked on is served on stdio, or with --http: leave it out')
  if (config.transport === 'http') return (await import('./hold-port.ts')).holdPort(options)
  return (await import('./hold-pipe.ts')).holdPipe(options)
}

/** What is served while there is nothing to serve, so that whoever connects now need not do so again. */
function emptyServer(ready: ReadyServer, reason: string): ReadyServer {
  return {
    ...ready,
    async create({ modules, budgets, nodes }) {
      const { defineServer } = await import('../../authoring/define-server.ts')
      const instructions = `Nothing is offered yet: ${reason}`
      return defineServer({
        name: ready.name,
        version: '0.0.0',
        instructions,
        modules: [...modules],
        budgets,
        ...nodes,
      })
    },
  }
}
