import { type AuthorServer, checkServer, refuseLoading, type Server, settle } from '../../kernel/index.ts'
import { boundStderr } from '../../process/bound-stderr.ts'
import { greet } from '../../process/greet.ts'
import { keepRunning } from '../../process/keep-running.ts'
import { leave } from '../../process/leave.ts'
import type { PipeBudgets } from './budgets.ts'
import { Conversation } from './conversation.ts'
import type { OutputStream } from './outbox.ts'
import { takeStdout } from './take-stdout.ts'

/** How a server is served on stdio; its budgets are the server's own unless given here. */
export interface ServeStdioOptions extends Partial<PipeBudgets> {
  /** How long, after the client closed its end, calls may take to finish and answers to be read. */
  readonly finishMs?: number
  /** The same after SIGTERM or SIGINT: a host that sends them soon sends SIGKILL. */
  readonly stopMs?: number
  /** The same when a client that may has asked the server to exit. */
  readonly exitMs?: number
  /** Whether somebody who starts it by hand, in a terminal, is told what it is and how to plug it in. */
  readonly greeting?: 'on-a-terminal' | 'none'
  /** How often to look whether the parent process is still there. */
  readonly parentCheckMs?: number
}

const DEFAULTS = {
  finishMs: 10_000,
  stopMs: 1_000,
  exitMs: 30_000,
  parentCheckMs: 1_000,
  greeting: 'on-a-terminal' as const,
}

/**
 * Serves one client on stdin and stdout, and ends the process when that client is gone.
 * @example serveStdio(server)
 */
export function serveStdio(server: AuthorServer, options: ServeStdioOptions = {}): void {
  refuseLoading('serveStdio')
  checkServer('serveStdio', server)
  const settings = settle<Required<ServeStdioOptions>>(
    'serveStdio',
    { ...DEFAULTS, ...server.budgets },
    options,
  )
  if (settings.greeting === 'on-a-terminal') greet(server.info.name)
  // A failed write means that nobody reads any more.
  const output = takeStdout(() => void server.close().then(() => process.exit(0)))
  boundStderr(server)
  const starting = server.start()
  if (starting === undefined) return converse(server, settings, output)
  const callOff = () => void server.close().then(() => leave(0))
  const unwatch = [onSignal(callOff), onOrphaned(settings.parentCheckMs, callOff)]
  starting.then(() => {
    for (const stop of unwatch) stop()
    converse(server, settings, output)
  }, refuseToStart)
}

/** Whoever started it is told in one line; to a client that waits for it, it was never there. */
function refuseToStart(error: Error): void {
  process.stderr.write(`${error.message}\n`)
  leave(1)
}

function converse(server: Server, settings: Required<ServeStdioOptions>, output: OutputStream): void {
  const { finishMs, stopMs, exitMs } = settings
  const { stdin: input, stdout } = process
  const conversation = new Conversation({ server, input, output, budgets: settings, ended })

  let deadline: NodeJS.Timeout | undefined
  let ending: Promise<void> | undefined
  function end(graceMs: number): Promise<void> {
    ending ??= new Promise<number>((resolve) => {
      deadline = setTimeout(() => resolve(giveUp(graceMs)), graceMs)
      void conversation.finish().then(() => resolve(0))
    }).then(quit)
    return ending
  }

  /** Whoever closes the server waits for this, so it does not wait for that. */
  function quit(code: number): void {
    void server.close().then(() => leave(code))
  }

  /** Whoever waits for an answer that will not come is told so, and so is whoever waits for the process. */
  async function giveUp(graceMs: number): Promise<number> {
    const lost = await conversation.giveUp()
    if (lost === 0) return 0
    const calls = lost === 1 ? 'a call' : `${lost} calls`
    const message = `Stopped with ${calls} under way after ${graceMs / 1000} s`
    conversation.link.log('error', message)
    server.observe({ kind: 'noted', level: 'error', message })
    return new Promise((resolve) => setImmediate(resolve, 1))
  }

  /** A client that still reads, however slowly, gets all its answers. */
  function ended(): void {
    void end(finishMs)
    stdout.on('drain', () => deadline?.refresh())
  }

  onSignal(() => (ending === undefined ? void end(stopMs) : process.exit(0)))
  afterAnswer(() => onOrphaned(settings.parentCheckMs, () => void end(stopMs)))
  server.exits.add(() => void end(exitMs))
  keepRunning(server)
  input.on('error', ended).on('close', ended)
  server.serve(() => end(stopMs))
}

/** For what is soon enough then: in the next turn stdin is read for the first time, and what waits there is answered. */
function afterAnswer(run: () => void): void {
  setImmediate(() => setImmediate(run))
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Until the function given back is called. */
function onSignal(stop: () => void): () => void {
  // Whoever listens for this one as well takes it for something else: to read its configuration again.
  const heard = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGHUP' || process.listenerCount(signal) === 1) stop()
  }
  for (const signal of SIGNALS) process.on(signal, heard)
  return () => {
    for (const signal of SIGNALS) process.off(signal, heard)
  }
}

/**
 * A pipe that somebody else holds open hides the parent's death, its id does not. The clock also keeps the
 * process up while reading is paused and calls wait for nothing that Node knows of.
 */
function onOrphaned(intervalMs: number, stop: () => void): () => void {
  const parent = process.ppid
  const clock = setInterval(() => {
    if (process.ppid !== parent) stop()
  }, intervalMs)
  return () => clearInterval(clock)
}
