import { defineServer } from '../../authoring/define-server.ts'
import { type JsonObject, VERSION } from '../../kernel/index.ts'
import type { Mock } from '../../recording/mock.ts'
import { answerJson, refuse } from '../../transports/http/answers.ts'
import type { BodySink, Exchange } from '../../transports/http/exchange.ts'
import { type HttpServer, listenOnNode } from '../../transports/http/node/listen.ts'
import { EVENT_STREAM_HEADERS } from '../../transports/http/streams/event-stream.ts'
import { PARSE_ERROR, parseMessages } from './messages.ts'

const LARGEST_BODY = 64 * 1024 * 1024
const NOBODY = { crowded: () => {}, ended: () => {}, gone: () => {} }

/** Serves a recording at /mcp, behind the guards that every server of ours has; there is nothing else behind them. */
export async function mockHttp(mock: Mock, port: number): Promise<HttpServer> {
  const server = defineServer({ name: 'mock', version: VERSION })
  const listening = await listenOnNode(server, {
    port,
    path: '/mcp/none',
    ssePair: false,
    card: false,
    greeting: 'none',
    pages: { '/mcp': (exchange) => receive(mock, exchange) },
  })
  return { ...listening, url: listening.url.replace(/\/none$/, '') }
}

function receive(mock: Mock, exchange: Exchange): void {
  if (exchange.method !== 'POST') return exchange.answer(405, { allow: 'POST' }, '')
  exchange.body.read(LARGEST_BODY, (body) => {
    if (typeof body !== 'string') return refuse(exchange, body)
    const messages = parseMessages(body)
    if (messages === undefined) return answerJson(exchange, 400, JSON.stringify(PARSE_ERROR))
    void answer(mock, exchange, messages)
  })
}

/** One answer alone is JSON; what comes before it, or comes of a batch, has them come as events. */
async function answer(mock: Mock, exchange: Exchange, messages: readonly JsonObject[]): Promise<void> {
  const asked = messages.filter(({ id, method }) => id !== undefined && method !== undefined)
  let waiting = asked.length
  let sink: BodySink | undefined
  const open = () => (sink ??= exchange.stream(EVENT_STREAM_HEADERS, NOBODY))
  const send = (message: JsonObject) => {
    const isAnswer = message['method'] === undefined
    if (isAnswer) waiting--
    if (isAnswer && sink === undefined && asked.length === 1)
      return answerJson(exchange, 200, JSON.stringify(message))
    open().write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
    if (waiting === 0) open().end()
  }
  await Promise.all(messages.map((message) => mock.receive(message, send)))
  if (asked.length === 0) exchange.answer(202, {})
  else if (waiting > 0) open() // It was never answered, either, when it was recorded.
}
