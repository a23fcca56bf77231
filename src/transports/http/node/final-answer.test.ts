import { once } from 'node:events'
import { type AddressInfo, connect, createServer, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { printAnswer, printRefusal, sendFinal } from './final-answer.ts'

it('is an HTTP answer with the length of its body in bytes', () => {
  expect(printAnswer(404, { a: 'b' }, 'nö')).toBe(
    'HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 3\r\n\r\nnö',
  )
  expect(printAnswer(204, {})).toBe('HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n')
})

it('is refused in JSON-RPC, on a connection that is not used again', () => {
  const error = { code: -32600, message: 'no' }
  const [head = '', body = ''] = printRefusal({ status: 429, error, headers: { 'retry-after': '1' } }).split(
    '\r\n\r\n',
  )
  expect(head.split('\r\n').slice(0, 4)).toEqual([
    'HTTP/1.1 429 Too Many Requests',
    'content-type: application/json',
    'connection: close',
    'retry-after: 1',
  ])
  expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id: null, error })
})

it('reaches a client that still sends, and then the connection is gone', async () => {
  const server = createServer((socket) => sendFinal(socket, 'the last words')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  client.on('error', () => {}) // Whatever it sends after that is not wanted.
  client.write('more')
  expect(await text(client)).toBe('the last words')
  await expect
    .poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count))))
    .toBe(0)
})

it('ends nothing but the connection when its client has reset it', () => {
  const socket = new Socket()
  sendFinal(socket, 'the last words')
  expect(socket.emit('error', new Error('ECONNRESET'))).toBe(true)
  socket.destroy()
})
