import type { Server } from '../kernel/index.ts'
import { boundStderr } from './bound-stderr.ts'
import { keepRunning } from './keep-running.ts'

/** A server that listens, and the way to end it; that tells whether all was answered. */
export interface ListeningServer {
  readonly server: Server
  readonly graceMs: number
  close(graceMs: number): Promise<boolean>
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Those that are open in this process. */
const watched = new Set<ListeningServer>()

let release: () => void = () => {}

/**
 * Keeps a process in which servers listen: stray errors do not end it, SIGTERM and SIGINT end it when what is
 * under way is answered. A program that listens for a signal itself is left to do as it likes.
 */
export function supervise(one: ListeningServer): () => void {
  if (watched.size === 0) release = watch(one.server)
  watched.add(one)
  return () => {
    if (watched.delete(one) && watched.size === 0) release()
  }
}

/** Once for all of them: nobody can tell whose stray error it is, so the first is told. */
function watch(server: Server): () => void {
  boundStderr(server)
  const leave = keepRunning(server)
  for (const signal of SIGNALS) process.on(signal, end)
  return () => {
    leave()
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** Ends the servers and the process, as a signal does. */
export function endAll(): Promise<never> {
  ending ??= closeAll().then((finished) => process.exit(finished ? 0 : 1))
  return ending
}

let ending: Promise<never> | undefined

function end(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  if (ending !== undefined) process.exit(1) // Whoever asks twice does not want to wait.
  void endAll()
}

async function closeAll(): Promise<boolean> {
  const finished = await Promise.all([...watched].map(closeOne))
  return finished.every(Boolean)
}

async function closeOne({ server, graceMs, close }: ListeningServer): Promise<boolean> {
  const finished = await close(graceMs)
  if (!finished) {
    const message = `Stopped with calls still under way after ${graceMs / 1000} s`
    server.observe({ kind: 'noted', level: 'error', message })
  }
  return finished
}
