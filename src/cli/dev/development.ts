import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { leave } from '../../process/leave.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { Config } from '../config.ts'
import { UsageError } from '../usage-error.ts'
import { BEQUEST, type DevBequest } from './apprentice.ts'
import { type DevChild, NotLoaded } from './child.ts'
import { Keeper, type Seat } from './keeper.ts'
import { ProjectWatch } from './watch.ts'

export interface DevelopmentOptions {
  /** What was called, as it says of itself. */
  readonly command: string
  /** The name of what is served. */
  readonly served: string
  readonly file: string
  /** What else is looked at, whatever its kind. */
  readonly also: readonly string[]
  /** What children are called with. */
  readonly args: readonly string[]
  readonly config: Config
  /** How long a child may take to serve. */
  readonly startMs: number
  /** Where children listen, where that is not on their pipes. */
  readonly behind?: DevBequest['behind']
  /** Pages stay open from one child to the next, and so does what opens them. */
  readonly consoleKey?: string
}

/** Children write to a pipe, whatever becomes of it. */
const PRETTY = { PERIGEE_LOG_FORMAT: 'pretty' }

/** A file that is being worked on: what serves it, and what hears of its changes. */
export interface Development {
  readonly keeper: Keeper
  /** Resolves when something is served. */
  readonly started: Promise<void>
  close(): void
}

export function develop(
  { command, file, also, args, config, startMs, behind, consoleKey }: DevelopmentOptions,
  seat: Seat,
  ends: () => void,
): Development {
  checkPaths([file, ...also])
  const say = (text: string) => void process.stderr.write(`${command}: ${text}\n`)
  const keeper = new Keeper({
    file,
    startMs,
    seat,
    say,
    ends,
    args,
    environment: {
      ...BEQUEST.give({ secret: randomBytes(32).toString('base64url'), behind }),
      ...(consoleKey !== undefined && { PERIGEE_CONSOLE_KEY: consoleKey }),
      ...(process.stderr.isTTY && config.settings['log-format'] === undefined && PRETTY),
    },
    store: new MemoryStore(),
  })
  const started = keeper.start().catch((error: Error) => {
    if (!(error instanceof NotLoaded)) say(error.message)
    keeper.kill()
    leave(1)
    return new Promise<void>(() => {}) // Nobody is to go on meanwhile.
  })
  const watch = new ProjectWatch({
    file,
    also,
    say,
    changed: () => keeper.noticed(),
    settled: () => {
      keeper.outdate()
      void started.then(() => keeper.reload())
    },
  })
  return { keeper, started, close: () => watch.close() }
}

function checkPaths(paths: readonly string[]): void {
  const missing = paths.find((path) => statSync(path, { throwIfNoEntry: false }) === undefined)
  if (missing !== undefined) throw new UsageError(`there is no file ${resolve(missing)}`)
}

/** How long a child that has been told to leave may take for it. */
const LEAVE_MS = 15_000

/** Ends the process with its children; whoever asks twice does not want to wait. */
export function endOnce({
  keeper,
  close,
}: Development): (finish: (child: DevChild) => void) => Promise<void> {
  let ending = false
  return async (finish) => {
    if (ending) {
      keeper.kill()
      process.exit(0)
    }
    ending = true
    close()
    setTimeout(() => keeper.kill(), LEAVE_MS)
    leave(await keeper.end(finish))
  }
}
