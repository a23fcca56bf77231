import { type KernelEvent, type Link, type Observer, type Request, toWire } from '../../kernel/index.ts'
import { cut, redact } from './discretion.ts'
import { describeRequest, framesOf, messageOf, type Subject, type TelemetryRecord } from './records.ts'
import { type Setting, toMicros } from './setting.ts'

type Tellers = {
  readonly [Kind in KernelEvent['kind']]: (
    event: Extract<KernelEvent, { kind: Kind }>,
  ) => TelemetryRecord | readonly TelemetryRecord[] | undefined
}

const MAX_NAME = 128
const MAX_MESSAGE = 512

/** Tells what happens beside the calls. */
export function createObserver({ audience, recordArguments, errorMessages, clock }: Setting): Observer {
  const opened = new WeakMap<Link, number>()
  const tellers: Tellers = {
    'link-opened': ({ link }) => {
      opened.set(link, clock.ticks())
      const { revision, info } = link.peer ?? {}
      const client = info === undefined ? undefined : cut(`${info.name} ${info.version}`.trim(), MAX_NAME)
      return { kind: 'opened', time: clock.now(), protocol: revision?.id, client }
    },
    'link-closed': ({ link }) => {
      const since = opened.get(link)
      // A link without a handshake is a single request.
      if (since === undefined) return undefined
      opened.delete(link)
      const durationMs = toMicros(clock.ticks() - since)
      return { kind: 'closed', time: clock.now(), protocol: link.peer?.revision.id, durationMs }
    },
    // It came and went at once.
    refused: ({ link, request, fault, error }) => {
      const [time, subject] = [clock.now(), describeRequest(request)]
      const ending = {
        outcome: 'error',
        code: error.code,
        message: messageOf(fault, recordArguments),
      } as const
      const protocol = link.peer?.revision.id
      return [
        { kind: 'received', time, ...subject },
        { kind: 'completed', time, ...subject, durationMs: 0, ...ending, protocol, refused: true },
      ]
    },
    unreadable: ({ fault }) => ({
      kind: 'unreadable',
      time: clock.now(),
      code: toWire(fault).code,
      message: messageOf(fault, recordArguments),
    }),
    'turned-away': ({ status, message, method, path, from }) => ({
      kind: 'turned-away',
      time: clock.now(),
      status,
      message: redact(cut(message, MAX_MESSAGE)),
      verb: cut(method, MAX_NAME),
      path: cut(path, MAX_NAME),
      from,
    }),
    crashed: ({ error, method, request }) => ({
      kind: 'crashed',
      time: clock.now(),
      ...(request !== undefined && targetOf(request)),
      method: cut(method, MAX_NAME),
      error: error instanceof Error ? error.name : typeof error,
      message: errorMessages === 'told' ? redact(cut(String(error), MAX_MESSAGE)) : undefined,
      stack: framesOf(error),
    }),
    noted: ({ level, message }) => ({
      kind: 'noted',
      time: clock.now(),
      level,
      message: redact(cut(message, MAX_MESSAGE)),
    }),
  }

  return (event) => {
    const told = tellers[event.kind](event as never) ?? [] // The entry of its own kind.
    for (const record of [told].flat()) audience.tell(record, 'link' in event ? event : undefined)
  }
}

function targetOf(request: Request): Pick<Subject, 'tool' | 'prompt' | 'uri'> {
  const { tool, prompt, uri } = describeRequest(request)
  return { tool, prompt, uri }
}
