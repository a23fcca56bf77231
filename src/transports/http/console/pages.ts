import type { Console } from '../../../console/console.ts'
import { printLine, RECORDING_TYPE } from '../../../console/recording.ts'
import type { RelayedServer } from '../../../kernel/index.ts'
import type { Exchange, Page } from '../exchange.ts'
import { findForwarded } from '../guards/address.ts'
import { EVENT_STREAM_HEADERS, printEvent } from '../streams/event-stream.ts'
import { answerDenial, type Denial, denyStrangers, keyGuard, NOT_KEPT } from './access.ts'
import { listAssets } from './assets.ts'
import { answerChange, approveChange } from './changes.ts'

export interface PagesOptions {
  readonly console: Console
  readonly key: string
  /** Whether others than this machine may see it. */
  readonly fromNetwork: boolean
  /** What stands before paths where a proxy has taken it off. */
  readonly base: string
  /** What a recording is called. */
  readonly name: string
  /** The servers that it stands for. */
  readonly upstreams: ReadonlySet<RelayedServer>
}

/** Where browsers are led from that open the server itself. */
export const DOOR = '/console/'

/** The console's routes: the page for anybody who reaches it, what it shows for those who have the key. */
export function consolePages(options: PagesOptions): { readonly [path: string]: Page } {
  const hasKey = keyGuard(options.key)
  const deny = options.fromNetwork ? () => undefined : denyStrangers
  const open = (answer: (exchange: Exchange) => void) => guarded([deny, denyMethod], answer)
  const closed = (answer: (exchange: Exchange) => void) => guarded([deny, denyMethod, hasKey], answer)
  const files = [...listAssets()].map(([path, { headers, read }]) => [
    path,
    open((exchange) => exchange.answer(200, headers, read())),
  ])
  return {
    ...(Object.fromEntries(files) as { readonly [path: string]: Page }),
    [DOOR]: open((exchange) => exchange.answer(303, { ...NOT_KEPT, location: doorTo(exchange, options) })),
    '/console/events': closed((exchange) => streamEvents(options.console, exchange)),
    '/console/change': closed((exchange) => answerChange(options.upstreams, exchange)),
    '/console/approve': guarded([deny, denyMethodBut('POST'), hasKey], (exchange) =>
      approveChange(options.upstreams, exchange),
    ),
    '/console/recording': closed((exchange) => answerRecording(options, exchange)),
  }
}

/** Only a proxy knows the address before which it stands. */
function doorTo(exchange: Exchange, { base }: PagesOptions): string {
  return findForwarded(exchange) === undefined ? '/console' : `${base}/console`
}

type Guard = (exchange: Exchange) => Denial | undefined

function guarded(guards: readonly Guard[], answer: (exchange: Exchange) => void): Page {
  return {
    access: 'anybody', // The console's key is its own, and a key for MCP does not open it.
    answer: (exchange) => {
      for (const guard of guards) {
        const denial = guard(exchange)
        if (denial !== undefined) return answerDenial(exchange, denial)
      }
      answer(exchange)
    },
  }
}

function denyMethodBut(wanted: 'GET' | 'POST'): Guard {
  return ({ method }) =>
    method === wanted
      ? undefined
      : { status: 405, error: `Expected ${wanted}, got ${method}`, headers: { allow: wanted } }
}

const denyMethod = denyMethodBut('GET')

function streamEvents(console: Console, exchange: Exchange): void {
  const after = new URLSearchParams(exchange.query).get('after') ?? '0'
  const denial = /^\d{1,15}$/.test(after) ? denyReader(console) : WRONG_AFTER
  if (denial !== undefined) return answerDenial(exchange, denial)
  const stop = () => leave()
  const sink = exchange.stream(EVENT_STREAM_HEADERS, { crowded: () => {}, ended: stop, gone: stop })
  const leave = console.read(
    {
      tell: (event, seq) => sink.write(printEvent(event, seq === undefined ? undefined : String(seq))),
      get unread() {
        return sink.unread
      },
      end: () => sink.end(),
    },
    Number(after),
  )
}

const WRONG_AFTER: Denial = { status: 400, error: 'after: expected the seq of a message, a whole number' }

/** Why nobody more may read, where that is so. */
export function denyReader(console: Console): Denial | undefined {
  if (console.closed) return { status: 503, error: 'The server is closing' }
  if (!console.full) return undefined
  return {
    status: 429,
    error: `${console.readers} pages of the console are open, and there may be no more (--max-console-readers): close one`,
  }
}

function answerRecording({ console, name }: PagesOptions, exchange: Exchange): void {
  const file = `${name.replace(/[^\w.-]+/g, '-').slice(0, 60) || 'server'}.jsonl`
  exchange.answer(
    200,
    {
      ...NOT_KEPT,
      'content-type': RECORDING_TYPE,
      'content-disposition': `attachment; filename="${file}"`,
      etag: `"${console.messages.last}"`,
    },
    console.messages.after(0).map(printLine).join(''),
  )
}
