import { isAtLeast, type KernelEvent } from '../kernel/index.ts'
import type { Console } from './console.ts'

/** Tells a console what happened beside the messages, where somebody who looks at it should know. */
export function tellEvent(console: Console, event: KernelEvent): void {
  switch (event.kind) {
    case 'crashed':
      return console.notice('error', `${event.method} failed: ${print(event.error)}`)
    case 'turned-away': {
      const what = `${event.method} ${event.path}`.trim() || 'what was no HTTP request'
      return console.notice('warning', `${what} was refused with ${event.status}: ${event.message}`)
    }
    case 'noted':
      if (!isAtLeast(event.level, 'info')) return
      return console.notice(levelOf(event.level), event.message)
    default: // The rest is to be seen in the messages, or of no interest.
  }
}

function levelOf(level: Extract<KernelEvent, { kind: 'noted' }>['level']) {
  if (isAtLeast(level, 'error')) return 'error'
  return isAtLeast(level, 'warning') ? 'warning' : 'info'
}

/** The first place in a stack is where one looks. */
function print(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /\n\s+at .*/.exec(error.stack ?? '')?.[0].trim()
  return place === undefined ? error.message : `${error.message} (${place})`
}
