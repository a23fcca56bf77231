import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { LineProcess, type ProcessOptions } from './process.ts'

/** A client that starts a server as a process and talks to it line by line. */
export class McpClient {
  readonly #server: LineProcess
  readonly #notifications: JsonObject[] = []
  #lastId = 0

  constructor(script: string, options: ProcessOptions = {}) {
    this.#server = new LineProcess(script, options)
  }

  get stderr(): string {
    return this.#server.stderr
  }

  /** Sends a request and gives the response with its id, whole. */
  async sendRequest(method: string, params?: JsonObject): Promise<JsonObject> {
    const id = ++this.#lastId
    this.#write({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
    const response = await this.#read((message) => !isNotification(message))
    if (response['id'] !== id)
      throw new Error(`expected the response to ${id}, got ${JSON.stringify(response)}`)
    return response
  }

  sendNotification(method: string, params?: JsonObject): void {
    this.#write({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  /** Sends a line as it is and gives the response to it. */
  sendText(text: string): Promise<JsonObject> {
    this.#server.write(`${text}\n`)
    return this.#read((message) => !isNotification(message))
  }

  /** The next notification of the server's, heard already or to be heard. */
  async readNotification(): Promise<JsonObject> {
    return this.#notifications.shift() ?? this.#read(isNotification)
  }

  /** Closes the server's stdin and gives its exit code. */
  closeStdin(): Promise<number | NodeJS.Signals | null> {
    return this.#server.end()
  }

  /** What has been heard and not read, responses included. */
  unread(): readonly JsonObject[] {
    return [...this.#notifications, ...this.#server.lines.takeAll().map(readMessage)]
  }

  kill(): Promise<void> {
    return this.#server.kill()
  }

  #write(message: JsonObject): void {
    this.#server.write(`${JSON.stringify(message)}\n`)
  }

  /** Notifications may come between a request and its response, and are kept. */
  async #read(wanted: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const line = await this.#server.lines.next()
      if (line === undefined) throw new Error(`the server has ended\n${this.stderr}`)
      const message = readMessage(line)
      if (wanted(message)) return message
      if (!isNotification(message)) throw new Error(`nobody asked for ${line}`)
      this.#notifications.push(message)
    }
  }
}

function readMessage(line: string): JsonObject {
  const message: unknown = JSON.parse(line)
  if (!isObject(message) || message['jsonrpc'] !== '2.0') throw new Error(`this is no message: ${line}`)
  return message
}

function isNotification(message: JsonObject): boolean {
  return 'method' in message && !('id' in message)
}
