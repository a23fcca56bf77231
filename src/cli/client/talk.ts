import {
  type Client,
  type ConnectOptions,
  connect,
  ErrorReply,
  type Notification,
  type RequestOptions,
} from '../../client/index.ts'
import { VERSION } from '../../kernel/index.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine, splitAtDashes } from '../flags.ts'
import type { ClientCommand } from './command.ts'
import { explain } from './explain.ts'
import { addressServer } from './named-server.ts'
import { showLog, showProgress } from './notices.ts'
import { CommandOutput } from './output.ts'
import { Person } from './person.ts'
import { clientUsage, SERVER_SETTINGS } from './settings.ts'
import { WaitNotice } from './waiting.ts'
import { readWhere, type Where } from './where.ts'

/** Runs a command that asks something of a server: connects, asks, and leaves nothing behind. */
export async function talk(command: ClientCommand, args: readonly string[]): Promise<void> {
  const [own, started] = splitAtDashes(args)
  const typed = readLine({ ...command.settings, ...SERVER_SETTINGS }, own)
  if (typed.flags['help'] === true) return console.log(clientUsage(command))
  const { line, command: starting } = command.namesServer
    ? addressServer(typed, started)
    : { line: typed, command: started }
  const run = command.prepare(line)
  const where = readWhere(line.flags, starting)
  const stop = new AbortController()
  const output = new CommandOutput(line.flags['json'] === true, () => stop.abort(new CommandError(0, '')))
  const release = listenToSignals(stop)
  try {
    await converse(run, { where, output, stop })
  } finally {
    release()
    output.showStatus('')
  }
}

interface Talking {
  readonly where: Where
  readonly output: CommandOutput
  readonly stop: AbortController
}

async function converse(run: ReturnType<ClientCommand['prepare']>, { where, output, stop }: Talking) {
  const { signal } = stop
  const person = new Person(output, () => stop.abort(interrupted('SIGINT')))
  let heard: string | undefined
  let hear = (notification: Notification) => showLog(notification, where, output)
  const options: ConnectOptions = {
    ...asTyped(where),
    ...person.answering(where.roots),
    signal,
    onNotification: (notification) => hear(notification),
    onError: (error) => {
      heard ??= error.message.replace('The server sent what is no message: ', '')
    },
  }
  const waiting = new WaitNotice(where, output)
  let client: Client | undefined
  try {
    client = await waiting.until(connect(where.target, options))
    const serverName = client.server?.name ?? where.name
    person.meet(serverName)
    const onProgress: RequestOptions['onProgress'] = (progress) => showProgress(progress, output)
    const done = run({
      client,
      output,
      signal,
      hear: (listener) => {
        hear = listener
      },
      awaits: (what) => waiting.awaits(what),
      serverName,
      options: { signal, timeoutMs: where.timeoutMs, onProgress },
    })
    await waiting.until(done)
  } catch (error) {
    if (output.json && error instanceof ErrorReply) output.sayJson({ error: toWireError(error) })
    throw signal.aborted ? signal.reason : explain(error, where, { isConnected: client !== undefined, heard })
  } finally {
    person.leave()
    await client?.close()
  }
}

function asTyped({ headers, timeoutMs, revision, logLevel }: Where): ConnectOptions {
  return {
    info: { name: 'perigee', version: VERSION },
    headers,
    timeoutMs,
    ...(revision !== undefined && { revision }),
    ...(logLevel !== undefined && { logLevel }),
  }
}

function toWireError({ code, message, data }: ErrorReply) {
  return { code, message, data }
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The first signal ends the talk in good order, which takes seconds at most. */
function listenToSignals(stop: AbortController): () => void {
  const listeners = (Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).map((name) => {
    const hear = () => stop.abort(interrupted(name))
    process.on(name, hear)
    return () => process.off(name, hear)
  })
  return () => {
    for (const leave of listeners) leave()
  }
}

function interrupted(signal: keyof typeof SIGNALS): CommandError {
  const code = signal === 'SIGINT' ? EXIT_CODES.interrupted.code : SIGNALS[signal]
  return new CommandError(code, 'stopped')
}
