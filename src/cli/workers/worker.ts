import cluster from 'node:cluster'
import { rmSync } from 'node:fs'
import { endAll } from '../../process/supervise.ts'
import { StartError } from '../exit-codes.ts'
import { type FromWorker, readMessage, type ToWorker } from './messages.ts'

/** How long whoever has started us may take to add up. */
const PATIENCE_MS = 5000

/** Whoever has started us tells why we do not serve: in the log, where others serve. */
export function tellFailed({ exitCode, message }: StartError): never {
  tell({ perigee: 'failed', reason: message })
  throw new StartError(exitCode, '')
}

/** A worker's end of the channel to whoever has started it. */
export class Membership {
  /** What we have counted, once there is something that counts. */
  count: () => string = () => ''
  /** Whether nobody was there before us. */
  readonly isFirst = cluster.worker?.id === 1
  readonly #questions = new Map<number, (text: string) => void>()
  #lastQuestion = 0
  #leaving = false

  constructor(folder: string) {
    process.on('message', (message) => this.#hear(readMessage<ToWorker>(message)))
    process.on('disconnect', () => void endAll()) // Nobody would end us any more.
    process.on('exit', () => {
      tell({ perigee: 'counted', text: this.count() })
      // Whoever has started us is gone, and cannot remove what we share.
      if (!process.connected && !this.#leaving) rmSync(folder, { recursive: true, force: true })
    })
    process.on('SIGTERM', () => void endAll())
    // A terminal tells all of us; whoever has started us decides.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  }

  /** What all workers have counted; our own, if nobody says. */
  totals(): Promise<string> {
    const question = ++this.#lastQuestion
    return new Promise((resolve) => {
      const settle = (text: string) => {
        clearTimeout(late)
        this.#questions.delete(question)
        resolve(text)
      }
      const late = setTimeout(() => settle(this.count()), PATIENCE_MS)
      this.#questions.set(question, settle)
      tell({ perigee: 'asks', question })
    })
  }

  /** Has all workers end. */
  end(): void {
    tell({ perigee: 'ends' })
  }

  #hear(message: ToWorker | undefined): void {
    if (message?.perigee === 'count') tell({ perigee: 'counted', text: this.count() })
    if (message?.perigee === 'totals') this.#questions.get(message.question)?.(message.text)
    if (message?.perigee !== 'leave') return
    this.#leaving = true
    void endAll()
  }
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
