import { request } from 'node:http'

/**
 * One HTTP exchange over a connection of its own. Calls `onEvent({ id, event, data })` for every server-sent event, and
 * resolves when it is over: `{ status, headers, text, whole, life }`; `whole` is false when the connection broke before
 * the answer had ended, `life` is the start of the node that it went to. Never rejects.
 */
export function exchange(balancer, { method = 'POST', path = '/mcp', headers = {}, body, onEvent, onHead }) {
  const sent = request({ host: '127.0.0.1', port: balancer.port, path, method, agent: false, headers })
  let port
  let settled = false
  const answer = { status: 0, headers: {}, text: '', whole: false }
  const over = new Promise((resolve) => {
    const settle = () => {
      if (settled) return
      settled = true
      resolve({ ...answer, life: balancer.lifeBehind(port) })
    }
    sent.on('socket', (socket) => socket.once('connect', () => (port = socket.localPort)))
    sent.on('error', settle)
    sent.on('close', settle)
    sent.on('response', (response) => {
      answer.status = response.statusCode
      answer.headers = response.headers
      const take = readerFor(response, answer, onEvent)
      onHead?.({ ...answer, life: balancer.lifeBehind(port) })
      response.setEncoding('utf8')
      response.on('data', take)
      response.on('end', () => {
        answer.whole = response.complete
        settle()
      })
      response.on('error', settle)
      response.on('close', settle)
    })
  })
  sent.end(body)
  return {
    over,
    /** Cuts the connection without a word. */
    cut() {
      if (settled) return
      if (sent.socket && !sent.socket.destroyed) sent.socket.resetAndDestroy()
      sent.destroy()
    },
  }
}

function readerFor(response, answer, onEvent) {
  if (onEvent !== undefined && /event-stream/.test(response.headers['content-type'] ?? ''))
    return eventReader(onEvent)
  return (chunk) => (answer.text += chunk)
}

/** Cuts a stream into events; what is not whole yet waits. */
function eventReader(onEvent) {
  let rest = ''
  return (chunk) => {
    rest += chunk
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = parseEvent(rest.slice(0, end))
      rest = rest.slice(end + 2)
      if (event !== undefined) onEvent(event)
    }
  }
}

function parseEvent(block) {
  const event = {}
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field !== undefined) event[field] = value
  }
  return Object.keys(event).length === 0 ? undefined : event
}

export function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** So often is posted what must arrive; with half a second between tries it outlasts every engine that comes back. */
export const SURELY = 60

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
