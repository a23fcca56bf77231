import type { Client } from '../../src/client/client.ts'
import type { Listening } from '../../src/client/listening.ts'
import type { ConsoleEvent, ConsoleHello, ConsoleNotice, ConsoleState } from '../../src/console/events.ts'
import { loadCatalogue, watchCatalogue } from './catalogue.ts'
import { keep, recall } from './keeping.ts'
import { Messages } from './messages.ts'
import { answersFrom } from './questions.ts'
import { HOME, select } from './selection.ts'
import { Store } from './store.ts'
import { EventStream, keyOf, type Phase } from './stream.ts'
import { reach } from './wires.ts'

export interface Standing {
  readonly phase: Phase
  readonly text?: string | undefined
}

/** How the page's own conversation with the server stands. */
export interface Talk {
  readonly client?: Client
  readonly state: 'closed' | 'opening' | 'open' | 'failed' | 'wants-key'
  readonly error?: string
}

export const standing = new Store<Standing>({ phase: 'connecting' })
export const hello = new Store<ConsoleHello | undefined>(undefined)
export const serverState = new Store<ConsoleState>({ type: 'state', sessions: [], nodes: [], usage: {} })
export const notices = new Store<readonly ConsoleNotice[]>([])
export const messages = new Messages()
export const talk = new Store<Talk>({ state: 'closed' })
/** Empty is the newest that both know. */
export const revision = new Store<string>('')
export const apiKey = new Store<string>(sessionKey())

const MOST_NOTICES = 50

/** What can be answered, in the words of the revisions that want it said so. */
export const CAPABILITIES = { elicitation: { form: {}, url: {} } }

export function start(): void {
  const key = keyOf(location.hash)
  window.addEventListener('hashchange', () => location.reload())
  if (key === '') return standing.set({ phase: 'no-key' })
  void new EventStream(key, {
    event: take,
    phase: (phase, text) => {
      standing.set({ phase, text })
      if (phase === 'asleep') void listening?.close().catch(() => {}) // Asked for again when somebody looks.
    },
  }).start()
}

function take(event: ConsoleEvent): void {
  if (event.type === 'hello') greet(event)
  else if (event.type === 'messages') messages.add(event.items)
  else if (event.type === 'state') serverState.set(event)
  else if (event.type === 'dropped') messages.lose(event.count)
  else if (event.type === 'notice') notices.change((all) => [...all, event].slice(-MOST_NOTICES))
}

function greet(event: ConsoleHello): void {
  const before = hello.value
  forgetOther(event)
  hello.set(event)
  standing.set({ phase: 'live' })
  document.title = `${event.server.title ?? event.server.name} · Perigee console`
  const isSame = before !== undefined && before.run === event.run
  if (before !== undefined && !isSame) messages.clear()
  const { client, state } = talk.value
  if (isSame && state === 'open' && client !== undefined) void keepCatalogue(client)
  else void connect()
}

/** Another server at the same address has other things to look at. */
function forgetOther({ server: { name } }: ConsoleHello): void {
  if (recall('server', name) !== name) select(HOME)
  keep('server', name)
}

let opening = 0
let listening: Listening | undefined

async function keepCatalogue(client: Client): Promise<void> {
  await listening?.close().catch(() => {}) // It was of a connection that is gone.
  await loadCatalogue(client)
  listening = await watchCatalogue(client)
}

/** Opens the page's conversation, or opens it again: with another revision, another key, another run of the server. */
export async function connect(): Promise<void> {
  const greeting = hello.value
  if (greeting === undefined) return
  if (greeting.keyNeeded && apiKey.value === '') return talk.set({ state: 'wants-key' })
  const turn = ++opening
  void talk.value.client?.close()
  talk.set({ state: 'opening' })
  try {
    const client = await reach(
      { hello: greeting, apiKey: apiKey.value },
      {
        ...(revision.value !== '' && { revision: revision.value }),
        answers: answersFrom(''),
        capabilities: CAPABILITIES,
        onNotification: (notification) => {
          for (const hear of notificationHearers) hear(notification)
        },
      },
    )
    if (turn !== opening) return void client.close()
    talk.set({ state: 'open', client })
    await keepCatalogue(client)
  } catch (error) {
    if (turn !== opening) return
    const status = (error as { details?: { status?: number } }).details?.status
    talk.set({ state: status === 401 ? 'wants-key' : 'failed', error: (error as Error).message })
  }
}

type HearNotification = (notification: {
  method: string
  params: { readonly [name: string]: unknown }
}) => void

export const notificationHearers = new Set<HearNotification>()

export function chooseRevision(id: string): void {
  revision.set(id)
  void connect()
}

export function giveApiKey(key: string): void {
  apiKey.set(key)
  sessionStorage.setItem('perigee.key', key)
  void connect()
}

function sessionKey(): string {
  return sessionStorage.getItem('perigee.key') ?? ''
}

export type Theme = 'auto' | 'light' | 'dark'

export const theme = new Store<Theme>(recall<Theme>('theme', 'auto'))

export function chooseTheme(next: Theme): void {
  theme.set(next)
  keep('theme', next)
  applyTheme()
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value
}
