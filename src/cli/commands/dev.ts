import { resolve } from 'node:path'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { readConfig, readNumber } from '../config.ts'
import { findApprentice } from '../dev/apprentice.ts'
import { fileServer } from '../file-server.ts'
import { warmUp } from '../import-file.ts'
import { UsageError } from '../usage-error.ts'
import { readShutdown, serve, serveHere } from './serve.ts'

/** Serves a file that is being worked on: what is saved is what the next call runs, and no client has to connect again. */
export async function dev(args: readonly string[]): Promise<void> {
  const [file = ''] = args
  if (file === '' || file.startsWith('-')) return help(file)
  const ready = underDevelopment(fileServer(file, { listCache: NEVER_KEPT }))
  const apprentice = findApprentice()
  const config = readConfig(ready, args.slice(1))
  if (config.switches.has('help') || config.switches.has('version'))
    return serve(ready, args.slice(1), `perigee dev ${file}`)
  const shutdownMs = readShutdown(config.settings['shutdown-timeout'])
  if (apprentice !== undefined) {
    await warmUp(resolve(file))
    if (config.transport === 'http') await import('../serve-http.ts')
    const instead = await apprentice.told()
    return serveHere(instead === undefined ? ready : emptyServer(ready, instead), {
      config,
      shutdownMs,
      apprentice,
    })
  }
  if (config.settings['workers'] !== undefined)
    throw new UsageError(
      `${config.sources['workers']}: a server that is being worked on is one process: leave it out`,
    )
  if (config.transport === 'socket')
    throw new UsageError('socket: what is worked on is served on stdio, or with --http: leave it out')
  const startMs = readNumber('start-timeout', config.settings['start-timeout'], MAX_SECONDS) * 1000
  const options = { file, args, config, startMs }
  if (config.transport === 'http') return (await import('../dev/hold-port.ts')).holdPort(options)
  return (await import('../dev/hold-pipe.ts')).holdPipe(options)
}

const MAX_SECONDS = 3600

/** A list may be another with the next change, of which not every client asks to hear. */
const NEVER_KEPT = { ttlMs: 0, cacheScope: 'private' } as const

const EXAMPLE = `Usage: perigee dev ./server.ts [options]      serve a file while you work on it

Write it into your host's configuration in the place of perigee serve: what you save is what the next call runs,
and the host keeps its connection.

  claude mcp add notes -- npx perigee dev "$PWD/server.ts"
  npx perigee dev ./server.ts --http                        for clients that speak HTTP
  npx perigee dev ./server.ts --console                     with a page in the browser that shows what passes
  npx perigee dev ./server.ts --watch ./data --watch ../lib what else it is made of

perigee dev ./server.ts --help lists the options, which are those of perigee serve.

Example: perigee dev ./server.ts --http --console`

function help(given: string): void {
  if (given === '--help' || given === '-h') return console.log(EXAMPLE)
  throw new UsageError(
    'dev: expected a file that exports a server: perigee dev ./server.ts. See perigee dev --help',
  )
}

function underDevelopment(ready: ReadyServer): ReadyServer {
  return {
    ...ready,
    settings: {
      'start-timeout': {
        placeholder: 'SECONDS',
        description: 'how long new code may take to start, before what was served goes on being served',
        fallback: '15',
      },
      watch: {
        kind: 'many',
        placeholder: 'PATH',
        description: 'a file or folder whose changes count as well, whatever is in it; may be repeated',
      },
    },
  }
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
