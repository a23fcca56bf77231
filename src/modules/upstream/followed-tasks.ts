import type { Notification } from '../../client/index.ts'
import type { Call, Server } from '../../kernel/index.ts'
import { isBroken, isClosed } from './errors.ts'
import type { Ask } from './open-call.ts'
import { passProgress } from './pass-progress.ts'
import { followTask, type TaskPlace } from './relayed-tasks.ts'
import type { Tally } from './tally.ts'

export interface FollowedTasksOptions {
  readonly server: Server
  readonly tally: Tally
  /** Asks it on the connection of whoever calls. */
  readonly open: (call: Call, ask: Ask, task: string) => Promise<unknown>
  readonly explain: (error: unknown, call: Call) => unknown
  /** What may be told of what it says. */
  readonly hide: (text: string, call: Call) => string
  /** Whoever has taken its place, once it is closed. */
  readonly successor: () => FollowedTasks | undefined
}

/** How often a task is looked for again when the way to it breaks, each time after a longer pause. */
const FOLLOW_TRIES = 5
const PAUSE_MS = 1000

/** The tasks that calls have become upstream, as long as somebody waits for them. */
export class FollowedTasks {
  readonly #options: FollowedTasksOptions
  /** Who hears of the progress of tasks, by the token it is told with. */
  readonly #progress = new Map<string, Call>()

  constructor(options: FollowedTasksOptions) {
    this.#options = options
  }

  /** Waits for what comes of such a task, or for its questions; a way that breaks is found again. */
  async follow(call: Call, tell: (message: string) => void): Promise<unknown> {
    const { server, tally, open, hide, explain, successor } = this.#options
    const place = call.state as TaskPlace | undefined
    if (place?.task === undefined) throw new Error('The task was interrupted: its server ended before it did')
    const { task, progress } = place
    if (progress !== undefined) this.#progress.set(progress, call)
    const tellOn = (message: string) => tell(hide(message, call)) // Of what went wrong, too.
    const ask: Ask = (client, options) =>
      followTask(client, place, { ...options, tell: tellOn, answered: call.answers })
    const leave = tally.stay()
    try {
      for (let tries = 1; ; tries++) {
        const output = await open(call, ask, task).catch((error: unknown) => {
          const isOver = isClosed(error) ? successor() === undefined : !isBroken(error)
          if (isOver || call.aborted || tries === FOLLOW_TRIES) throw explain(error, call)
          return BROKEN
        })
        if (output !== BROKEN) return output
        await new Promise<void>((resolve) => server.platform.after(tries * PAUSE_MS, resolve))
        const next = successor()
        if (next !== undefined) return next.follow(call, tell)
      }
    } finally {
      leave()
      if (progress !== undefined) this.#progress.delete(progress)
    }
  }

  /** What the upstream tells of the progress of a task, which it may do after the call has been answered. */
  hear({ method, params }: Notification): void {
    const call = this.#progress.get(String(params['progressToken']))
    if (method === 'notifications/progress' && call !== undefined) passProgress(params, call)
  }
}

const BROKEN = Symbol('the way to it is broken')
