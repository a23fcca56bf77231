import type { ConsoleMessage } from '../../src/console/events.ts'
import { isRecord } from '../model/json.ts'
import { Recent } from '../model/stats.ts'
import { Store } from './store.ts'

/** What the page keeps of messages: however many there are, the oldest give way. */
const [MOST, MOST_BYTES, TRIM, MOST_ASKED, MOST_CONNECTIONS] = [10_000, 48 * 1024 * 1024, 1000, 2000, 100]

export type MessageKind = 'request' | 'response' | 'notice' | 'error'

export interface MessageFilter {
  readonly text: string
  readonly kind: MessageKind | 'all'
  readonly connection: string
}

export const EVERYTHING: MessageFilter = { text: '', kind: 'all', connection: '' }

/** A message, and what a response answers. */
export interface KeptMessage extends ConsoleMessage {
  readonly answers?: string
}

export interface MessageView {
  readonly shown: readonly KeptMessage[]
  readonly total: number
  /** How many the page no longer has, or never got. */
  readonly missing: number
  readonly connections: readonly string[]
}

const NONE: MessageView = { shown: [], total: 0, missing: 0, connections: [] }

/** Every message of every connection, as far as there is room; drawn at most once a frame. */
export class Messages {
  readonly view = new Store<MessageView>(NONE)
  readonly recent = new Recent()
  #all: KeptMessage[] = []
  #shown: KeptMessage[] = []
  /** What has been asked and not been answered, by conversation and id. */
  readonly #asked = new Map<string, string>()
  #bytes = 0
  #missing = 0
  #filter = EVERYTHING
  #drawing = false
  readonly #connections = new Map<string, number>()

  add(items: readonly ConsoleMessage[]): void {
    for (const item of items) this.#addOne(item)
    if (this.#all.length > MOST + TRIM || this.#bytes > MOST_BYTES) this.#trim()
    this.#draw()
  }

  lose(count: number): void {
    this.#missing += count
    this.#draw()
  }

  clear(): void {
    this.#all = []
    this.#shown = []
    this.#bytes = 0
    this.#missing = 0
    this.#connections.clear()
    this.#draw()
  }

  filter(filter: MessageFilter): void {
    this.#filter = filter
    this.#shown = this.#all.filter((one) => isWanted(one, filter))
    this.#draw()
  }

  #addOne(message: ConsoleMessage): void {
    const item = this.#pair(message)
    this.#all.push(item)
    this.#bytes += item.bytes
    this.#connections.delete(item.connection)
    this.#connections.set(item.connection, item.time)
    if (this.#connections.size > MOST_CONNECTIONS)
      this.#connections.delete(this.#connections.keys().next().value ?? '')
    if (isWanted(item, this.#filter)) this.#shown.push(item)
    if (item.ms !== undefined && item.direction === 'out')
      this.recent.add({ time: item.time, ms: item.ms, failed: hasFailed(item.message) })
  }

  #pair(item: ConsoleMessage): KeptMessage {
    const { message, connection, direction } = item
    if (!isRecord(message) || message['id'] === undefined) return item
    const asks = typeof message['method'] === 'string'
    const key = `${connection} ${asks === (direction === 'in')} ${String(message['id'])}`
    if (asks) {
      if (this.#asked.size >= MOST_ASKED) this.#asked.clear()
      this.#asked.set(key, nameOf(message))
      return item
    }
    const answers = this.#asked.get(key)
    this.#asked.delete(key)
    return answers === undefined ? item : { ...item, answers }
  }

  /** A thousand at a time, so that it is seldom. */
  #trim(): void {
    let dropped = 0
    while (
      dropped < this.#all.length &&
      (this.#all.length - dropped > MOST || this.#bytes > MOST_BYTES * 0.8)
    )
      this.#bytes -= this.#all[dropped++]?.bytes ?? 0
    this.#missing += dropped
    this.#all = this.#all.slice(dropped)
    const oldest = this.#all[0]?.seq ?? Number.POSITIVE_INFINITY
    this.#shown = this.#shown.filter(({ seq }) => seq >= oldest)
  }

  #draw(): void {
    if (this.#drawing) return
    this.#drawing = true
    requestAnimationFrame(() => {
      this.#drawing = false
      this.view.set({
        shown: [...this.#shown],
        total: this.#all.length,
        missing: this.#missing,
        connections: [...this.#connections.keys()],
      })
    })
  }
}

function isWanted(item: KeptMessage, { text, kind, connection }: MessageFilter): boolean {
  if (connection !== '' && item.connection !== connection) return false
  if (kind === 'error' ? !hasFailed(item.message) : kind !== 'all' && kindOf(item.message) !== kind)
    return false
  return (
    text === '' ||
    `${item.answers ?? ''} ${JSON.stringify(item.message)}`.toLowerCase().includes(text.toLowerCase())
  )
}

export function kindOf(message: unknown): MessageKind {
  if (!isRecord(message)) return 'notice'
  if ('error' in message) return 'error'
  if (!('method' in message)) return 'response' // Of a long one the result is left out.
  return 'id' in message ? 'request' : 'notice'
}

export function hasFailed(message: unknown): boolean {
  if (!isRecord(message)) return false
  const { result } = message
  return 'error' in message || (isRecord(result) && result['isError'] === true)
}

/** What a line says of a message. */
export function nameOf(message: unknown): string {
  if (Array.isArray(message)) return `batch of ${message.length}`
  if (!isRecord(message)) return 'message'
  const { method, params, error, result } = message
  if (typeof method === 'string') {
    const about = isRecord(params)
      ? (params['name'] ?? params['uri'] ?? params['taskId'] ?? params['message'])
      : undefined
    return typeof about === 'string' ? `${method} ${about}` : method
  }
  if (isRecord(error)) return `error ${String(error['code'])}: ${String(error['message'])}`
  return isRecord(result) && typeof result['resultType'] === 'string'
    ? `result: ${result['resultType']}`
    : 'result'
}
