import { connect as connectPlainly, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { HttpConnection } from './http-connection.ts'

/** How many connections that nobody uses are kept to one server. */
const MAX_IDLE = 64

/** How long it may take to be connected. */
const CONNECT_MS = 10_000

/** How often it is looked for connections that have been kept for long enough. */
const SWEEP_MS = 1000

interface IdleConnection {
  readonly connection: HttpConnection
  readonly until: number
}

/** The connections to one server, each for as long as both sides want it. */
export class KeptConnections {
  readonly #url: URL
  readonly #idle: IdleConnection[] = []
  #sweeper: ReturnType<typeof setInterval> | undefined

  constructor(url: URL) {
    this.#url = url
  }

  /** One that is free, the last used first, or a new one; it comes back by itself. */
  take(): HttpConnection {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.isOpen && idle.until > Date.now()) return idle.connection
      idle.connection.drop()
    }
    const connection: HttpConnection = new HttpConnection(
      (hear) => open(this.#url, hear),
      (keepMs) => this.#keep(connection, keepMs),
    )
    return connection
  }

  #keep(connection: HttpConnection, keepMs: number): void {
    if (this.#idle.length === MAX_IDLE) return connection.drop()
    this.#idle.push({ connection, until: Date.now() + keepMs })
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    const now = Date.now()
    const stays = this.#idle.filter(({ connection, until }) => connection.isOpen && until > now)
    for (const idle of this.#idle) if (!stays.includes(idle)) idle.connection.drop()
    this.#idle.splice(0, this.#idle.length, ...stays)
    if (stays.length > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }
}

/** All that comes is read into the same bytes: to make some for each piece takes longer than to copy what is kept of it. */
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024)

function open({ protocol, hostname, port }: URL, hear: (bytes: Buffer) => void): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = protocol === 'https:'
  const onread = {
    buffer: RECEIVED,
    callback: (length: number) => {
      hear(RECEIVED.subarray(0, length))
      return true
    },
  }
  const at = { host, port: port === '' ? (isSecure ? 443 : 80) : Number(port), onread }
  const secured = { ...at, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) }
  const socket = isSecure ? connectSecurely(secured) : connectPlainly(at)
  hurry(socket, isSecure ? 'secureConnect' : 'connect')
  return socket
}

/** Node waits for a connection as long as the system does, which is minutes. */
function hurry(socket: Socket, connected: string): void {
  const late = () =>
    Object.assign(new Error(`not connected within ${CONNECT_MS} ms`), { code: 'ERR_CONNECT_LATE' })
  const clock = setTimeout(() => socket.destroy(late()), CONNECT_MS)
  const stop = () => clearTimeout(clock)
  socket.once(connected, stop).once('close', stop)
}
