import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpHeaders, Refusal } from '../exchange.ts'

/** Closed at once, a connection that the client still sends on is reset, and our last words are lost. */
const LINGER_MS = 1_000

/** Answers on a connection that will not be used again. */
export function sendFinal(socket: Socket, text: string): void {
  socket.on('error', () => {}) // The client has left, and nothing is lost.
  socket.end(text)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** For requests that never became an exchange. */
export function printRefusal({ status, error, headers }: Refusal): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error })
  return printAnswer(status, { 'content-type': 'application/json', connection: 'close', ...headers }, body)
}

export function printAnswer(status: number, headers: HttpHeaders, body = ''): string {
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) })
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n${body}`
}
