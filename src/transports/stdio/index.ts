import type { Server } from '../../kernel/index.ts'
import { Conversation } from './conversation.ts'
import { takeStdout } from './take-stdout.ts'

export interface StdioSettings {
  /** Longer lines are refused while they arrive. */
  readonly maxLineBytes: number
  /** How many calls may be at work before reading stops. */
  readonly maxCalls: number
  /** How long calls under way may take to finish after the client closed its end. */
  readonly finishMs: number
  /** The same after SIGTERM or SIGINT: a host that sends them soon sends SIGKILL. */
  readonly stopMs: number
  /** How often to look whether the parent process is still there. */
  readonly parentCheckMs: number
}

const DEFAULTS: StdioSettings = {
  maxLineBytes: 1024 * 1024,
  maxCalls: 1000,
  finishMs: 10_000,
  stopMs: 1_000,
  parentCheckMs: 1_000,
}

/** Serves one client on stdin and stdout, and ends the process when that client is gone. */
export function serveStdio(server: Server, options: Partial<StdioSettings> = {}): void {
  const settings: StdioSettings = { ...DEFAULTS, ...options }
  const { maxLineBytes, maxCalls } = settings
  // A failed write means that nobody reads any more.
  const output = takeStdout(() => process.exit(0))
  const ended = () => end(settings.finishMs)
  const conversation = new Conversation({
    server,
    input: process.stdin,
    output,
    maxLineBytes,
    maxCalls,
    ended,
  })

  let ending = false
  function end(graceMs: number): void {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(0), graceMs)
    void conversation.finish().then(() => process.exit(0))
  }

  onSignal(() => (ending ? process.exit(0) : end(settings.stopMs)))
  onOrphaned(settings.parentCheckMs, () => end(settings.stopMs))
  keepRunning()
  process.stdin.on('error', ended)
}

function onSignal(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
}

/** A pipe that somebody else holds open hides the parent's death, its id does not. */
function onOrphaned(intervalMs: number, stop: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, intervalMs).unref()
}

/** What a tool forgot to catch is that tool's loss, not the conversation's. */
function keepRunning(): void {
  const report = (error: unknown) => console.error(error)
  process.on('uncaughtException', report)
  process.on('unhandledRejection', report)
}
