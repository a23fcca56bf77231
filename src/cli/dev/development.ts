import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { leave } from '../../process/leave.ts'
import { look } from '../../process/look.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { Config } from '../config.ts'
import { exitCodeOf, StartError } from '../exit-codes.ts'
import { openLog } from '../log.ts'
import { UsageError } from '../usage-error.ts'
import { BEQUEST, type DevBequest } from './apprentice.ts'
import { type DevChild, NotLoaded } from './child.ts'
import { Keeper, type Seat } from './keeper.ts'
import { ProjectWatch } from './watch.ts'

export interface DevelopmentOptions {
  /** The name of what is served. */
  readonly served: string
  /** What its clients know whoever tells them of a change by. */
  readonly logger: string
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
  /** Resolves when something is served, and rejects where nothing can be. */
  readonly started: Promise<void>
  close(): void
}

export function develop(
  { served, logger, file, also, args, config, startMs, behind, consoleKey }: DevelopmentOptions,
  seat: Seat,
  ends: () => void,
): Development {
  checkPaths([file, ...also])
  const { note } = openLog(() => served, config)
  const keeper = new Keeper({
    file,
    startMs,
    seat,
    logger,
    log: note,
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
    keeper.kill()
    throw new StartError(exitCodeOf(error), error instanceof NotLoaded ? '' : error.message)
  })
  const watch = new ProjectWatch({
    file,
    also,
    note,
    changed: () => keeper.noticed(),
    settled: () => {
      keeper.outdate()
      void started.then(() => keeper.reload(), OVER)
    },
  })
  return { keeper, started, close: () => watch.close() }
}

/** For what waits beside whoever tells why it has not started. */
export const OVER = () => {}

function checkPaths(paths: readonly string[]): void {
  const missing = paths.find((path) => look(path) === undefined)
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
