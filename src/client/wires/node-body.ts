import type { IncomingMessage } from 'node:http'
import { BodyBuffer } from '../../transports/http/body-buffer.ts'
import { tooMuch } from './events.ts'
import type { FetchedBody } from './fetching.ts'

/** What is left of an answer that nobody wants any more may be so much, and take so long, for its connection to be kept. */
const [REST_BYTES, REST_MS] = [64 * 1024, 250]

const BYTE_ORDER_MARK = 0xfeff

/** The body of an answer. */
export class ReceivedBody implements FetchedBody {
  readonly #response: IncomingMessage

  constructor(response: IncomingMessage) {
    this.#response = response
    response.on('error', () => {}) // Whoever reads is told; an answer that nobody reads may break.
  }

  readAll(limit: number): Promise<string> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const body = new BodyBuffer()
      response.on('data', (chunk: Buffer) => {
        if (body.length + chunk.length <= limit) return body.add(chunk)
        reject(tooMuch(limit))
        return response.destroy()
      })
      response.on('end', () => resolve(decode(body.take())))
      response.on('error', reject)
      response.on('close', () => reject(new Error('the connection was closed')))
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#response.iterator({ destroyOnReturn: false })) yield chunk as Buffer
    } finally {
      await this.cancel()
    }
  }

  /** A connection that is read to its end can be used again. */
  async cancel(): Promise<void> {
    const response = this.#response
    if (response.complete || response.destroyed) return void response.resume()
    let rest = 0
    const clock = setTimeout(() => response.destroy(), REST_MS)
    response.on('close', () => clearTimeout(clock))
    response.on('data', (chunk: Buffer) => {
      rest += chunk.length
      if (rest > REST_BYTES) response.destroy()
    })
    response.resume()
  }
}

function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString()
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}
