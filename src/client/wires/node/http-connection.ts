import type { Socket } from 'node:net'
import { type Flushed, Flusher } from '../../../transports/http/node/flusher.ts'
import { ClientError } from '../../errors.ts'
import type { FetchedAnswer } from '../fetching.ts'
import type { StopSignal } from '../stop.ts'
import { type BodySource, ReceivedBody } from './received-body.ts'
import type { ResponseHead } from './response-head.ts'
import { type ResponseListener, ResponseParser } from './response-parser.ts'

/** A request on its way. */
interface RequestUnderway {
  readonly signal: StopSignal
  readonly resolve: (answer: FetchedAnswer) => void
  readonly reject: (error: unknown) => void
}

/** Opens a socket; what comes is handed to `hear` in bytes that are used again for what comes next. */
export type OpenSocket = (hear: (bytes: Buffer) => void) => Socket

const FLUSHER = new Flusher()

/** One connection of HTTP/1.1, on which one request is made after the other. */
export class HttpConnection implements ResponseListener, BodySource, Flushed {
  readonly ended = true
  readonly #socket: Socket
  readonly #onFree: (keepMs: number) => void
  /** What has not been sent yet. */
  #request: Buffer | undefined
  #asked: RequestUnderway | undefined
  #parser: ResponseParser | undefined
  #body: ReceivedBody | undefined
  #keepMs = 0
  #error: Error | undefined
  readonly #abort = () => this.drop()

  constructor(open: OpenSocket, onFree: (keepMs: number) => void) {
    const socket = open((bytes) => this.#hear(bytes))
    this.#socket = socket
    this.#onFree = onFree
    socket.setNoDelay(true)
    socket.on('end', () => this.#parser?.finish())
    socket.on('error', (error) => {
      this.#error ??= error
    })
    socket.on('close', () => this.#closed())
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readable
  }

  /** Sends a whole request, and tells of its answer when the head of that has come. */
  ask(request: Buffer, underway: RequestUnderway): void {
    this.#asked = underway
    this.#parser = new ResponseParser(this)
    underway.signal.addEventListener('abort', this.#abort, { once: true })
    this.#socket.ref()
    this.#request = request
    FLUSHER.add(this)
  }

  flush(): void {
    if (this.#request !== undefined && !this.#socket.destroyed) this.#socket.write(this.#request)
    this.#request = undefined
  }

  onHead(head: ResponseHead): void {
    const { status, headers, keepMs } = head
    const encoding = headers.get('content-encoding') ?? 'identity'
    if (encoding !== 'identity')
      throw new ClientError('nonsense', `The server answered in ${encoding}, which it was not asked for`)
    const body = new ReceivedBody(this)
    this.#keepMs = keepMs
    this.#body = body
    this.#asked?.resolve({
      ok: status >= 200 && status < 300,
      status,
      headers: { get: (name) => headers.get(name) ?? null },
      body,
    })
  }

  onBytes(bytes: Buffer): void {
    this.#body?.add(Buffer.from(bytes))
  }

  onEnd(): void {
    this.#leave()?.end()
    if (this.#keepMs === 0) return this.drop()
    this.#socket.resume()
    this.#socket.unref()
    this.#onFree(this.#keepMs)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  drop(): void {
    this.#socket.destroy()
  }

  /** What comes while nobody has asked belongs to nobody. */
  #hear(bytes: Buffer): void {
    try {
      if (this.#parser === undefined) this.drop()
      else this.#parser.feed(bytes)
    } catch (error) {
      this.#error = error as Error // What a parser throws.
      this.drop()
    }
  }

  #closed(): void {
    const error = this.#error ?? new Error('the connection was closed')
    const asked = this.#asked
    this.#leave()?.end(error)
    asked?.reject(error)
  }

  /** The answer is over; gives its body. */
  #leave(): ReceivedBody | undefined {
    this.#asked?.signal.removeEventListener('abort', this.#abort)
    const body = this.#body
    this.#asked = undefined
    this.#parser = undefined
    this.#body = undefined
    return body
  }
}
