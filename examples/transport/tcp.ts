import { createServer, type Server as TcpServer } from 'node:net'
import type { Server } from 'perigee'
import { checkServer, Fault, type Outgoing, parse, print, refuse } from 'perigee/kernel'

/** Serves every client that connects to a port, one message a line. */
export function serveTcp(server: Server, port: number): Promise<TcpServer> {
  checkServer('serveTcp', server)
  const listening = createServer((socket) => {
    const send = (message: Outgoing) => {
      if (!socket.write(`${print(message)}\n`)) socket.pause() // Who does not read is not read from.
    }
    const link = server.open({ outlet: { send } })
    const deliver = (reply: Outgoing | undefined) => {
      if (reply !== undefined) send(reply)
    }
    const lines = new Lines(server.budgets.maxLineBytes)
    socket.on('drain', () => socket.resume())
    socket.on('error', () => {}) // 'close' follows, and says it to the link.
    socket.on('close', () => link.close())
    socket.on('data', (chunk) => {
      for (const line of lines.push(chunk)) {
        link.receive(
          line === TOO_LONG ? refuse(tooLong()) : parse(line, server.dialect, server.budgets),
          deliver,
        )
      }
    })
  })
  return new Promise((resolve) => listening.listen(port, '127.0.0.1', () => resolve(listening)))
}

const TOO_LONG = Symbol('too long')
const tooLong = () => new Fault('invalidRequest', 'Invalid request: the line is too long')

/** Pieces, cut anywhere, to lines; of one that is too long nothing is kept. */
class Lines {
  readonly #limit: number
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  *push(chunk: Buffer): Iterable<string | typeof TOO_LONG> {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(10, start)
      this.#keep(chunk.subarray(start, newline < 0 ? chunk.length : newline))
      if (newline < 0) return
      start = newline + 1
      yield this.#bytes > this.#limit ? TOO_LONG : Buffer.concat(this.#pieces).toString()
      this.#pieces = []
      this.#bytes = 0
    }
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > this.#limit) this.#pieces = []
    else this.#pieces.push(piece)
  }
}
