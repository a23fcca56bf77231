import {
  isObject,
  type KernelEvent,
  type Link,
  type Observer,
  type Request,
  toWire,
} from '../../kernel/index.ts'
import type { Recording } from './options.ts'
import { messageOf, type TelemetryRecord, toMicros } from './records.ts'
import { cut, redact } from './redact.ts'
import { describeRefused, type Subject } from './subject.ts'

type Tellers = {
  readonly [Kind in KernelEvent['kind']]: (
    event: Extract<KernelEvent, { kind: Kind }>,
  ) => TelemetryRecord | readonly TelemetryRecord[] | undefined
}

const MAX_NAME = 128
const MAX_MESSAGE = 512

/** Tells what happens beside the calls. */
export function recordEvents({ sinks, recordArguments, errorMessages, clock }: Recording): Observer {
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
      const [time, subject] = [clock.now(), describeRefused(request)]
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
    sinks.tell([told].flat(), 'link' in event ? event : undefined)
  }
}

function targetOf(request: Request): Pick<Subject, 'tool' | 'prompt' | 'uri'> {
  const { tool, prompt, uri } = describeRefused(request)
  return { tool, prompt, uri }
}

const MAX_FRAMES = 10

/** Where an error came from, without what it says. */
function framesOf(error: unknown): readonly string[] {
  const stack = isObject(error) && typeof error['stack'] === 'string' ? error['stack'] : ''
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, MAX_FRAMES)
}
