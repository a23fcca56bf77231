import {
  isObject,
  type KernelEvent,
  type KernelObserver,
  type Link,
  type Request,
  toWire,
} from '../../kernel/index.ts'
import { namedFlag } from './named-flag.ts'
import type { Recording } from './options.ts'
import { explainFault, type TelemetryRecord, toMicros } from './records.ts'
import { tellName, tellText } from './redact.ts'
import { describeRefused, type Subject } from './subject.ts'

/** Tells what happens beside the calls. */
export function recordEvents(recording: Recording): KernelObserver {
  const context: EventContext = { ...recording, opened: new WeakMap() }
  return (event) => {
    const records = RECORDS_OF[event.kind](event as never, context) // The entry of its own kind.
    recording.sinks.tell(records, 'link' in event ? event : undefined)
  }
}

interface EventContext extends Recording {
  /** When sessions were opened. */
  readonly opened: WeakMap<Link, number>
}

const RECORDS_OF: {
  readonly [Kind in KernelEvent['kind']]: (
    event: Extract<KernelEvent, { kind: Kind }>,
    context: EventContext,
  ) => readonly TelemetryRecord[]
} = {
  'link-opened': ({ link }, { opened, clock }) => {
    opened.set(link, clock.ticks())
    const { revision, info } = link.peer ?? {}
    const client = info === undefined ? undefined : tellName(`${info.name} ${info.version}`.trim())
    return [{ kind: 'opened', time: clock.now(), protocol: revision?.id, client }]
  },
  'link-closed': ({ link }, { opened, clock }) => {
    const since = opened.get(link)
    // A link without a handshake is a single request.
    if (since === undefined) return []
    const durationMs = toMicros(clock.ticks() - since)
    return [{ kind: 'closed', time: clock.now(), protocol: link.peer?.revision.id, durationMs }]
  },
  refused: (event, context) => recordRefused(event.request, event, context),
  unreadable: ({ link, fault, method, id = null }, context) => {
    const { clock, recordArguments } = context
    const error = toWire(fault)
    if (method !== undefined) return recordRefused({ method, id }, { link, fault, error }, context)
    return [
      { kind: 'unreadable', time: clock.now(), code: error.code, ...explainFault(fault, recordArguments) },
    ]
  },
  'turned-away': ({ status, message, method, path, from }, { clock }) => [
    {
      kind: 'turned-away',
      time: clock.now(),
      status,
      message: tellText(message),
      verb: tellName(method),
      path: tellName(path),
      from,
      flag: namedFlag(message),
    },
  ],
  crashed: ({ error, method, request }, { clock, errorMessages }) => [
    {
      kind: 'crashed',
      time: clock.now(),
      ...(request !== undefined && targetOf(request)),
      method: tellName(method),
      error: error instanceof Error ? error.name : typeof error,
      message: errorMessages === 'told' ? tellText(String(error)) : undefined,
      stack: framesOf(error),
    },
  ],
  stored: (event, { clock }) => {
    const { operation, durationMs, store } = event
    const outcome = 'error' in event ? 'error' : 'ok'
    return [
      { kind: 'stored', time: clock.now(), operation, durationMs: toMicros(durationMs), outcome, store },
    ]
  },
  noted: ({ level, message }, { clock }) => [
    { kind: 'noted', time: clock.now(), level, message: tellText(message) },
  ],
}

/** It came and went at once. */
function recordRefused(
  request: Parameters<typeof describeRefused>[0],
  { link, fault, error }: Pick<Extract<KernelEvent, { kind: 'refused' }>, 'link' | 'fault' | 'error'>,
  { clock, recordArguments }: EventContext,
): readonly TelemetryRecord[] {
  const about = { time: clock.now(), ...describeRefused(request) }
  const ending = { outcome: 'error', code: error.code, ...explainFault(fault, recordArguments) } as const
  const protocol = link.peer?.revision.id
  return [
    { kind: 'received', ...about },
    { kind: 'completed', ...about, durationMs: 0, ...ending, protocol, refused: true },
  ]
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
