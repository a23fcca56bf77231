import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { type AuthorServer, checkServer, type Server, settle } from '../../kernel/index.ts'
import { supervise } from '../../process/supervise.ts'
import { Traffic } from '../traffic.ts'
import type { SocketBudgets } from './budgets.ts'
import { Conversation } from './conversation.ts'
import { Crowd } from './crowd.ts'
import { toWrite } from './outbox.ts'
import { SocketShare } from './share.ts'
import { clearSocket, explainListening, readSocketPath } from './socket-path.ts'
import { Stretch } from './stretch.ts'

/** How a server is served on a socket of this machine; its budgets are the server's own unless given here. */
export interface ServeSocketOptions extends Partial<SocketBudgets> {
  /** A file, or on Windows the name of a pipe. */
  readonly path: string
  /** How long, after a client closed its end, its calls may take to finish and its answers to be read. */
  readonly finishMs?: number
  /** Whether the process is kept for the server, as `serveHttp` does; `false` leaves it alone. */
  readonly supervise?: { readonly graceMs: number } | false | undefined
}

/** A server that listens on a socket. */
export interface SocketServer {
  readonly path: string
  /** Answers what is under way, for this long at most, and closes; tells whether all of it was answered. */
  close(graceMs?: number): Promise<boolean>
}

type SocketSettings = Required<ServeSocketOptions>

const DEFAULTS = { path: '', finishMs: 10_000, supervise: undefined }
const GRACE_MS = 30_000

/** How long a client may take to close its end when all has been said. */
const LEAVING_MS = 500

/** Serves clients of this machine, of this user alone, as on stdin and stdout: each connection is one conversation. */
export async function serveSocket(server: AuthorServer, options: ServeSocketOptions): Promise<SocketServer> {
  checkServer('serveSocket', server)
  const settings = settle<SocketSettings>('serveSocket', { ...DEFAULTS, ...server.budgets }, options)
  const path = readSocketPath(settings.path)
  await clearSocket(path)
  await server.start()
  const clients = new Set<SocketClient>()
  const traffic = new Traffic(settings, () => performance.now())
  const [stretch, crowd] = [new Stretch(), new Crowd(settings.maxCalls)]
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    const client = new SocketClient({ server, socket, settings, traffic, stretch, crowd })
    clients.add(client)
    void client.gone.then(() => clients.delete(client))
  })
  listener.maxConnections = settings.maxConnections
  const unserve = server.serve(() => close())
  await listen(listener, path).catch(async (error: NodeJS.ErrnoException) => {
    await unserve()
    throw explainListening(path, error)
  })
  const unwatch = server.usage.watchAll({
    maxConnections: () => clients.size,
    maxCalls: () => crowd.working,
    maxArrivingBytes: () => traffic.arriving,
    maxUnsentBytes: () => traffic.unsent,
  })
  const end = async (graceMs: number) => {
    listener.close() // Which takes the socket away.
    const answered = await Promise.all([...clients].map((client) => client.end(graceMs)))
    unwatch()
    release()
    await unserve()
    return answered.every(Boolean)
  }
  let ended: Promise<boolean> | undefined
  const close = (graceMs = GRACE_MS) => (ended ??= end(graceMs))
  const { supervise: keeping = { graceMs: GRACE_MS } } = settings
  const release = keeping === false ? () => {} : supervise({ server, close, ...keeping })
  return { path, close }
}

/** For its owner alone, from the first moment on. */
async function listen(listener: NetServer, path: string): Promise<void> {
  const listening = once(listener, 'listening')
  const before = isMainThread ? process.umask(0o177) : undefined // Threads share one, which they may not change.
  listener.listen(path)
  if (before !== undefined) process.umask(before)
  await listening
  if (process.platform !== 'win32') chmodSync(path, 0o600)
}

interface SocketClientOptions {
  readonly server: Server
  readonly socket: Socket
  readonly settings: SocketSettings
  /** What all connections hold. */
  readonly traffic: Traffic
  /** The time in which all connections are taken up. */
  readonly stretch: Stretch
  /** What they have at work. */
  readonly crowd: Crowd
}

/** One connection, and the conversation on it. */
class SocketClient {
  readonly #socket: Socket
  readonly #conversation: Conversation
  #ending: Promise<boolean> | undefined
  /** Resolves when the connection is no more. */
  readonly gone: Promise<void>

  constructor({ server, socket, settings, ...all }: SocketClientOptions) {
    this.#socket = socket
    const conversation = () => this.#conversation
    const share = new SocketShare({ server, socket, ...all, budgets: settings, conversation })
    this.#conversation = new Conversation({
      server,
      input: socket,
      output: {
        write: (text, written) =>
          socket.write(toWrite(text), () => {
            share.written()
            written?.()
          }),
        onceDrained: (resume) => socket.once('drain', resume),
        get waiting() {
          return socket.writableLength
        },
      },
      budgets: settings,
      carrier: { transport: 'unix' },
      ended: () => void this.end(settings.finishMs),
      share,
    })
    socket.on('error', () => {}) // It is closed next.
    this.gone = new Promise((resolve) => {
      socket.once('close', () => {
        share.leave()
        this.#conversation.drop()
        resolve()
      })
    })
  }

  /** Answers what is under way, for this long at most; tells whether all of it was answered. */
  end(graceMs: number): Promise<boolean> {
    this.#ending ??= this.#finish(graceMs)
    return this.#ending
  }

  async #finish(graceMs: number): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(resolve, graceMs, false).unref())
    const finished = Promise.race([this.#conversation.finish(), this.gone]).then(() => true)
    const answered = await Promise.race([finished, late])
    if (!answered) await this.#conversation.giveUp()
    await this.#hangUp()
    this.#socket.destroy()
    return answered
  }

  /** A client that keeps its own end open is not waited for. */
  async #hangUp(): Promise<void> {
    this.#socket.end()
    const patience = new Promise((resolve) => setTimeout(resolve, LEAVING_MS).unref())
    await Promise.race([this.gone, patience])
  }
}
