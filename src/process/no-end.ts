import type { LogLevel } from '../kernel/index.ts'

/** What Node ends with when nothing can settle any more what it waits for. */
const UNSETTLED = 13

/** How long a file may take before that is told: what it has begun, such as a timer, may keep a process that waits for nothing. */
const LATE_MS = 5000

interface LoadedFile {
  /** What was called, as it says of itself. */
  readonly command: string
  readonly what: string
  /** Told of a file that takes long; whoever waits for it elsewhere tells so there. */
  readonly note?: ((level: LogLevel, message: string) => void) | undefined
}

/** A file that waits for what never comes would otherwise end the process, or keep it, without a word. */
export async function tellingOfNoEnd<Loaded>(
  { command, what, note }: LoadedFile,
  loading: () => Promise<Loaded>,
): Promise<Loaded> {
  const tell = () => {
    if (process.exitCode !== UNSETTLED) return
    process.stderr.write(`${command}: ${what} does not load: it waits for something that never comes\n`)
    process.exitCode = 1
  }
  const late = `${what} has not loaded for ${LATE_MS / 1000} s, and nobody is served before it has: it waits for something`
  const clock = setTimeout(() => note?.('warning', late), LATE_MS).unref()
  process.once('exit', tell)
  try {
    return await loading()
  } finally {
    clearTimeout(clock)
    process.off('exit', tell)
  }
}
