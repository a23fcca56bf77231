import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { Connections } from '../../src/transports/http/node/connections.ts'
import type { NodeExchange } from '../../src/transports/http/node/exchange.ts'
import { Traffic } from '../../src/transports/traffic.ts'
import { Inbox } from '../setup/inbox.ts'
import { Wire } from './host.ts'

const OPTIONS = {
  maxArrivingBytes: 1_000_000,
  maxUnsentBytes: 1_000_000,
  maxBodyBytes: 100_000,
  maxPipelined: 5,
  patienceMs: 60_000,
}

export interface Taken {
  readonly exchange: NodeExchange
  readonly response: ServerResponse
}

interface BareOptions extends Partial<typeof OPTIONS> {
  /** What a framework has made of the body. */
  readonly body?: unknown
}

/** A Node server that hands out exchanges and does nothing else with them. */
export async function serveBare({ body, ...options }: BareOptions = {}) {
  const settings = { ...OPTIONS, ...options }
  const traffic = new Traffic(settings, Date.now)
  const failures: unknown[] = []
  const connections = new Connections({ ...settings, traffic, failed: (error) => failures.push(error) })
  const taken = new Inbox<Taken>()
  const receive = (expects: boolean) => (message: IncomingMessage, response: ServerResponse) =>
    connections.receive({ message, response, expects, ...(body !== undefined && { body }) }, (exchange) =>
      taken.push({ exchange, response }),
    )
  const node = createServer({ requireHostHeader: false }, receive(false)).on('checkContinue', receive(true))
  node.keepAliveTimeout = 0 // Whoever is cut off has been so by us.
  node.on('connection', (socket) => connections.of(socket))
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  onTestFinished(() => {
    node.closeAllConnections()
    node.close()
  })
  const dial = async (text: string | Uint8Array = '') => {
    const socket = connect((node.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(text)
    return new Wire(socket)
  }
  const take = async () => {
    const next = await taken.next()
    if (next === undefined) throw new Error('there is no request')
    return next
  }
  return { node, traffic, connections, failures, taken, dial, take }
}

export const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'

/** Whether so many bytes of bodies have arrived: the heads of a few requests, which are short here, count as well. */
export const withHeads = (bytes: number) => (counted: number) => counted > bytes && counted < bytes + 1000
