import { Buffer } from 'node:buffer'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ServerLostError } from './errors.ts'

/** How an answer ended: with its status and headers, or with a lost connection. */
export type Ended = { readonly status: number; readonly head: string } | { readonly error: Error }

export interface Receiver {
  /** Part of the body; a stream has many. */
  body?(bytes: Buffer): void
  begun?(status: number, head: string): void
  ended(how: Ended): void
}

type ResponseState = 'head' | 'body' | 'size' | 'chunk' | 'gap' | 'trailer'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_LINE = Buffer.from('\r\n')

/** One keep-alive connection of HTTP/1.1 that reads answers and does not much else. */
export class LoadConnection {
  readonly #socket: Socket
  #receiver: Receiver | undefined
  #state: ResponseState = 'head'
  #rest: Buffer | undefined
  #left = 0
  #status = 0
  #head = ''
  #open = true

  constructor({ hostname, port, protocol }: URL) {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    this.#socket =
      protocol === 'https:'
        ? connectTls({ host, port: Number(port || 443), servername: host })
        : connect({ host, port: Number(port || 80) })
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', ({ message }) => this.#lose(new ServerLostError(message)))
    this.#socket.on('close', () => this.#lose(new ServerLostError('the server closed the connection')))
  }

  get open(): boolean {
    return this.#open
  }

  send(bytes: Buffer | string, receiver: Receiver): void {
    this.#receiver = receiver
    this.#socket.write(bytes)
  }

  close(): void {
    this.#receiver = undefined
    this.#open = false
    this.#socket.destroy()
  }

  #lose(error: Error): void {
    this.#open = false
    const receiver = this.#receiver
    this.#receiver = undefined
    receiver?.ended({ error })
  }

  #read(chunk: Buffer): void {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = undefined
    for (let at = 0; at < data.length; ) {
      const next = this.#step(data, at)
      if (next < 0) {
        this.#rest = data.subarray(at)
        return
      }
      at = next
    }
  }

  /** Reads one part of an answer; gives where the next one begins, or -1 if this one is not all there. */
  #step(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(data, at)
      case 'size':
        return this.#readSize(data, at)
      case 'body':
      case 'chunk':
        return this.#readBody(data, at)
      case 'gap':
      case 'trailer':
        return this.#skipLine(data, at)
    }
  }

  #readHead(data: Buffer, at: number): number {
    const end = data.indexOf(END_OF_HEAD, at)
    if (end < 0) return -1
    const head = data.toString('latin1', at, end)
    this.#head = head
    this.#status = Number(head.slice(9, 12))
    this.#receiver?.begun?.(this.#status, head)
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#state = 'size'
    else this.#expect(Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0))
    return end + END_OF_HEAD.length
  }

  #expect(length: number): void {
    this.#left = length
    if (length === 0) this.#finish()
    else this.#state = 'body'
  }

  #readSize(data: Buffer, at: number): number {
    const end = data.indexOf(END_OF_LINE, at)
    if (end < 0) return -1
    this.#left = Number.parseInt(data.toString('latin1', at, end), 16)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
    return end + END_OF_LINE.length
  }

  #readBody(data: Buffer, at: number): number {
    const end = Math.min(data.length, at + this.#left)
    this.#left -= end - at
    this.#receiver?.body?.(data.subarray(at, end))
    if (this.#left > 0) return end
    if (this.#state === 'chunk') this.#state = 'gap'
    else this.#finish()
    return end
  }

  #skipLine(data: Buffer, at: number): number {
    if (data.length - at < END_OF_LINE.length) return -1
    if (this.#state === 'gap') this.#state = 'size'
    else this.#finish()
    return at + END_OF_LINE.length
  }

  #finish(): void {
    this.#state = 'head'
    if (/\r\nconnection: *close/i.test(this.#head)) this.#open = false
    const receiver = this.#receiver
    this.#receiver = undefined
    receiver?.ended({ status: this.#status, head: this.#head })
  }
}
