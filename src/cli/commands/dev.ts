import { NEVER_KEPT, type ReadyServer } from '../../servers/ready-server.ts'
import { readConfig, readNumber } from '../config.ts'
import { withConsole } from '../console.ts'
import { serveChanging } from '../dev/serve-changing.ts'
import { fileServer } from '../file-server.ts'
import { readLine, takeWord } from '../flags.ts'
import { nameOfFile, refuseFolder } from '../server-file.ts'
import { settingsOf } from '../settings.ts'
import { isTerminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { serve } from './serve.ts'

/** Serves a file that is being worked on: what is saved is what the next call runs, and no client has to connect again. */
export async function dev(args: readonly string[]): Promise<void> {
  const { word: file, rest } = takeWord(KNOWN, args)
  if (file === undefined) return help(args)
  const ready = underDevelopment(fileServer(file, { listCache: NEVER_KEPT }))
  // Somebody who sits there wants to see it; what a host starts is told in its configuration.
  const options = isTerminal() ? withConsole(ready, rest) : rest
  const config = readConfig(ready, options)
  if (config.switches.has('help') || config.switches.has('version'))
    return serve(ready, options, `perigee dev ${file}`)
  refuseFolder(file)
  const startMs = readNumber('start-timeout', config.settings['start-timeout'], MAX_SECONDS) * 1000
  if (startMs === 0) throw new UsageError('start-timeout: expected a second or more, got 0')
  await serveChanging(ready, {
    served: nameOfFile(file),
    logger: 'perigee dev',
    file,
    also: config.lists['watch'] ?? [],
    args: ['dev', file, ...options],
    config,
    startMs,
  })
}

const MAX_SECONDS = 3600

const EXAMPLE = `Usage: perigee dev ./server.ts [options]      serve a file while you work on it

Write it into your host's configuration in the place of perigee serve: what you save is what the next call runs,
and the host keeps its connection.

  claude mcp add notes -- npx perigee dev "$PWD/server.ts"
  npx perigee dev ./server.ts --http                        for clients that speak HTTP
  npx perigee dev ./server.ts --console                     with a page in the browser, as at a terminal
  npx perigee dev ./server.ts --watch ./data --watch ../lib what else it is made of

perigee dev ./server.ts --help lists the options, which are those of perigee serve.

Example: perigee dev ./server.ts --http --console`

function help(args: readonly string[]): void {
  const { flags } = readLine(KNOWN, args)
  if (flags['help'] === true) return console.log(EXAMPLE)
  throw new UsageError(
    'dev: expected a file that exports a server: perigee dev ./server.ts. See perigee dev --help',
  )
}

function underDevelopment(ready: ReadyServer): ReadyServer {
  return {
    ...ready,
    logLevel: 'notice', // What came of a save is worth a line.
    settings: {
      'start-timeout': {
        value: 'number',
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

/** Whatever the file. */
const KNOWN = settingsOf(underDevelopment(fileServer('server.ts')))
