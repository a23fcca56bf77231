import {
  BUDGET_NAMES,
  findRevision,
  type Incoming,
  isObject,
  type Link,
  META,
  type MessageWatcher,
  type Outgoing,
  print,
  type RelayedState,
  type Server,
} from '../kernel/index.ts'
import { Console, type ConsoleOptions, type PassingMessage } from './console.ts'
import { contextOf } from './context.ts'
import { Conversations } from './conversations.ts'
import type { ConsoleNode, ConsoleState } from './events.ts'
import { maskText } from './mask.ts'
import { messageOf } from './passing.ts'
import { tellEvent } from './tell-event.ts'

/** What a server's console is told by whoever serves it. */
export interface WatchOptions extends Pick<ConsoleOptions, 'hello'> {
  /** Whether a session is still there, though nobody uses it right now. */
  readonly hasSession?: (id: string) => boolean
  readonly nodes?: () => readonly ConsoleNode[]
}

/** A console that sees every conversation of a server that begins from here on, whatever carries it, until it is closed. */
export function watchServer(server: Server, { hello, hasSession, nodes }: WatchOptions): Console {
  const { budgets, platform, usage, watchers } = server
  const conversations = new Conversations(hasSession)
  const watched = new Console({
    clock: platform,
    hello,
    limits: {
      messages: budgets.maxConsoleMessages,
      bytes: budgets.maxConsoleBytes,
      messageBytes: budgets.maxConsoleMessageBytes,
      readers: budgets.maxConsoleReaders,
    },
    state: () => ({
      sessions: conversations.list(),
      nodes: nodes?.() ?? [],
      usage: usageOf(server),
      context: contextOf(server),
      taskTools: taskToolsOf(server),
      ...upstreamsOf(server),
    }),
    closed: () => {
      watchers.delete(watcher)
      unwatch()
    },
  })
  const watcher = tellConsole(watched, conversations, platform.now)
  const unwatch = usage.watchAll({
    maxConsoleMessages: () => watched.messages.size,
    maxConsoleBytes: () => watched.messages.bytes,
    maxConsoleReaders: () => watched.readers,
    maxConsoleMessageBytes: () => watched.longest,
  })
  watchers.add(watcher)
  return watched
}

function tellConsole(watched: Console, conversations: Conversations, now: () => number): MessageWatcher {
  const tell = (link: Link, passing: Omit<PassingMessage, 'connection' | 'transport'>) => {
    const { name: connection, transport } = conversations.of(link, now())
    watched.add({ connection, transport, ...passing })
  }
  const send = (link: Link, message: Outgoing, ms?: number) => {
    if ('method' in message && message.id !== undefined)
      conversations.asks(conversations.of(link, now()), message.id, performance.now())
    const revision = link.peer?.revision.id ?? link.spoken?.id ?? null
    tell(link, { direction: 'out', revision, printed: print(message), ms })
  }
  return {
    observed: (event) => tellEvent(watched, event),
    sent: (link, message) => send(link, message),
    received: (link, incoming) => {
      const began = performance.now()
      const conversation = conversations.of(link, now())
      const asked =
        incoming.kind === 'response' ? conversations.answered(conversation, incoming.id) : undefined
      const printed = JSON.stringify(messageOf(incoming))
      const ms = asked === undefined ? undefined : began - asked
      tell(link, { direction: 'in', revision: revisionOf(link, incoming), printed, ms })
      return (reply) => send(link, reply, performance.now() - began)
    },
  }
}

/** As far as a message says, or those before it have said. */
function revisionOf(link: Link, incoming: Incoming): string | null {
  const params = incoming.kind === 'request' ? incoming.params : undefined
  const meta = params?.['_meta']
  const named = (isObject(meta) ? meta[META.protocolVersion] : undefined) ?? params?.['protocolVersion']
  const said = typeof named === 'string' ? findRevision(named) : undefined
  return (said ?? link.peer?.revision ?? link.spoken)?.id ?? null
}

function taskToolsOf({ tools }: Server): readonly string[] {
  return [...tools].flatMap(({ key, task }) => (task === undefined ? [] : [key]))
}

/** What went wrong with one may quote what it was told. */
function upstreamsOf({ relaying }: Server): Pick<ConsoleState, 'upstreams'> {
  if (relaying.upstreams.size === 0) return {}
  const mask = ({ lastError, ...state }: RelayedState): RelayedState => ({
    ...state,
    lastError: lastError === null ? null : { ...lastError, text: maskText(lastError.text) },
  })
  return { upstreams: [...relaying.upstreams].map(({ state }) => mask(state)) }
}

function usageOf({ usage, budgets }: Server): ConsoleState['usage'] {
  return Object.fromEntries(
    BUDGET_NAMES.map((name) => [name, { used: usage.read(name), limit: budgets[name] }]),
  )
}
