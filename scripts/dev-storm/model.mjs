import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { APIS } from './apis.mjs'

/** A model that does what it is told: the host's requests are held until somebody says which tool is to be called. */
export class Model {
  url
  /** What the newest request offers. */
  tools = []
  #server = createServer((request, response) => void this.#receive(request, response))
  #held
  #arrived = promised()
  #calls = 0
  /** The tool by which a request of the host's own work is told from one for a title and the like. */
  #known

  constructor(known) {
    this.#known = known
  }

  static async open(known = 'which') {
    const model = new Model(known)
    model.#server.listen(0, '127.0.0.1')
    await once(model.#server, 'listening')
    model.url = `http://127.0.0.1:${model.#server.address().port}`
    return model
  }

  /** Has the host call a tool; gives what the host says that the call gave. */
  async call(wanted) {
    const { next, id } = await this.#have(wanted)
    return next.api.result(next.body, id)
  }

  /** The same; gives what the host tells its model of it, and what it tells besides. */
  async look(wanted) {
    const { next, id } = await this.#have(wanted)
    return next.api.since(next.body, id)
  }

  async #have(wanted) {
    const held = await this.#next()
    const tool = held.tools.find(({ name }) => name.endsWith(wanted))
    if (tool === undefined) throw new Error(`the host does not offer ${wanted}`)
    const id = `call-${++this.#calls}`
    held.answer(held.api.call(tool, id))
    return { next: await this.#next(), id }
  }

  /** The host is gone: whoever waits for its next request hears why. */
  fail(reason) {
    this.#arrived.reject(new Error(reason))
  }

  async close() {
    this.#held?.answer(this.#held.api.say('done'))
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #next() {
    if (this.#held === undefined) await this.#arrived.promise
    return this.#held
  }

  async #receive(request, response) {
    const api = APIS[new URL(request.url, this.url).pathname]
    if (api === undefined || request.method !== 'POST') return response.writeHead(404).end('{}')
    const body = await json(request)
    const tools = api.tools(body)
    const answer = (events) => write(response, events)
    const waits = tools.find(({ name }) => name === 'WaitForMcpServers')
    // Claude Code begins before its servers are there, and has a tool to wait for them.
    if (waits !== undefined && !tools.some(({ name }) => name.endsWith(this.#known)))
      return answer(api.call(waits, `wait-${++this.#calls}`))
    // Hosts also ask for a title and the like, without tools.
    if (!tools.some(({ name }) => name.endsWith(this.#known))) return answer(api.say('a storm'))
    this.tools = tools
    this.#held = { api, body, tools, answer: (events) => this.#release(answer, events) }
    this.#arrived.resolve()
  }

  #release(answer, events) {
    this.#held = undefined
    this.#arrived = promised()
    answer(events)
  }
}

function promised() {
  const settle = {}
  const promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }))
  // Nobody may be waiting when the host goes.
  promise.catch(() => {})
  return { promise, ...settle }
}

function write(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  response.end(events[0].type ? '' : 'data: [DONE]\n\n')
}
