import { questions } from './questions.ts'
import { talk } from './session.ts'

/** A browser opens six connections to a server, and two of them are taken. */
const MOST_AT_ONCE = 3

const waiting: (() => void)[] = []
let underWay = 0

/** Waits until one more call may have a connection; whoever has one gives it back by `leave`. */
export function room(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    admit()
  })
}

export function leave(): void {
  underWay--
  admit()
}

function admit(): void {
  while (waiting.length > 0 && underWay - parked() < MOST_AT_ONCE) {
    underWay++
    waiting.shift()?.()
  }
}

/** Where a server asks by its answer, a call that waits for a person has no connection. */
function parked(): number {
  if (talk.value.client?.revision.asking !== 'retry') return 0
  return questions.value.filter(({ kind, from }) => kind !== 'app' && from === '').length
}

questions.subscribe(admit)
