import { isObject, type JsonObject, VERSION } from '../../src/kernel/index.ts'
import { judge } from '../oracle/judge.ts'
import { judgeTasks } from '../oracle/judge-tasks.ts'
import { findSpec } from '../oracle/spec.ts'
import type { Inbox } from '../setup/inbox.ts'
import { type Caught, differences, fill } from './match.ts'
import type { Step, Transcript } from './parse.ts'
import { FIRST_WITHOUT_HANDSHAKE, type RevisionId } from './revisions.ts'

/** The client's end of a conversation, whatever carries it. */
export interface End {
  /** The lines the server has said. */
  readonly heard: Inbox<string>
  /** What transcripts may name besides what they catch themselves. */
  readonly names: { readonly [name: string]: string }
  say(line: string): void
  /** Closes our side and returns when the server has nothing more to say; throws when it ended badly. */
  finish(): Promise<void>
  /** Gives back whatever the conversation took, however far it has come. */
  close(): Promise<void>
}

export interface PlayOptions {
  /** How long to wait for a line; only a test of the runner itself sets it. */
  readonly patienceMs?: number
}

/** Plays a transcript to its end; throws an Error that names the line at which it went wrong. */
export async function play(
  transcript: Transcript,
  revision: RevisionId,
  end: End,
  options: PlayOptions = {},
): Promise<void> {
  const player = new Player(transcript, revision, end, options.patienceMs)
  await player.open()
  for (const step of transcript.steps) {
    if (step.revisions.includes(revision)) await player.take(step)
  }
  await player.finish()
}

const CLIENT_INFO = { name: 'transcript', version: '1.0.0' }
const META = 'io.modelcontextprotocol/'

class Player {
  readonly #transcript: Transcript
  readonly #revision: RevisionId
  readonly #end: End
  readonly #patienceMs: number | undefined
  readonly #caught: Caught
  /** The requests that wait for a reply, oldest first; the runner's own are 1, 2, 3… */
  #waiting: number[] = []
  #lastId = 0
  /** The methods of the requests made so far, by id. */
  readonly #asked = new Map<unknown, string>()
  /** The server's questions that wait for an answer, oldest first. */
  readonly #questions: unknown[] = []

  constructor(transcript: Transcript, revision: RevisionId, end: End, patienceMs: number | undefined) {
    this.#transcript = transcript
    this.#revision = revision
    this.#end = end
    this.#patienceMs = patienceMs
    this.#caught = { ...end.names, revision, version: VERSION }
  }

  get #handshake(): boolean {
    return this.#revision < FIRST_WITHOUT_HANDSHAKE
  }

  async open(): Promise<void> {
    const { open, capabilities } = this.#transcript
    if (!open || !this.#handshake) return
    const params = { protocolVersion: this.#revision, capabilities, clientInfo: CLIENT_INFO }
    this.#say({ jsonrpc: '2.0', id: 'opening', method: 'initialize', params })
    const expected = { id: 'opening', result: { protocolVersion: this.#revision } }
    this.#compare(expected, await this.#hear({}), 'the opening')
    this.#say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  async take(step: Step): Promise<void> {
    try {
      await this.#act(step)
    } catch (error) {
      throw new Error(`line ${step.line}: ${(error as Error).message}`)
    }
  }

  async finish(): Promise<void> {
    await this.#end.finish()
    const left = this.#end.heard.takeAll().filter((line) => !this.#isIgnored(JSON.parse(line), {}))
    if (left.length > 0) throw new Error(`at the end: nobody expected ${left.join('\n')}`)
    if (this.#waiting.length > 0)
      throw new Error(`at the end: request ${this.#waiting[0]} was never looked at`)
  }

  async #act(step: Step): Promise<void> {
    switch (step.kind) {
      case 'request':
        this.#waiting.push(++this.#lastId)
        return this.#sayCall({ id: this.#lastId, method: step.method }, this.#introduced(step.params))
      case 'notice':
        return this.#sayCall({ method: step.method }, step.params)
      case 'raw':
        return this.#end.say(String(fill(step.text, this.#caught)))
      case 'answer':
        return this.#answer(step.member)
      case 'reply':
        return this.#expectReply(step.to, step.expected)
      case 'silence':
        this.#waiting.shift()
        return
      case 'question':
        this.#questions.push((await this.#expect(step.expected))['id'])
        return
      case 'hear':
        await this.#expect({ id: '<absent>', ...step.expected })
        return
      case 'message':
        await this.#expect(step.expected)
    }
  }

  #answer(member: JsonObject): void {
    if (this.#questions.length === 0) throw new Error('there is no question to answer')
    this.#say({ jsonrpc: '2.0', id: this.#questions.shift(), ...(fill(member, this.#caught) as JsonObject) })
  }

  async #expectReply(to: number | undefined, expected: JsonObject): Promise<void> {
    const id = to ?? this.#waiting[0]
    if (id === undefined) throw new Error('no request waits for a reply')
    this.#waiting = this.#waiting.filter((one) => one !== id)
    const other = 'result' in expected ? { error: '<absent>' } : { result: '<absent>' }
    await this.#expect({ jsonrpc: '2.0', id, method: '<absent>', ...other, ...expected })
  }

  async #expect(pattern: unknown): Promise<JsonObject> {
    const expected = fill(pattern, this.#caught)
    const message = await this.#hear(expected)
    this.#compare(expected, message, 'it')
    return message
  }

  #compare(expected: unknown, message: unknown, what: string): void {
    const found = differences(expected, message, this.#caught)
    if (found.length === 0) return
    throw new Error(`${what} does not fit\n  ${found.join('\n  ')}\n  in ${JSON.stringify(message)}`)
  }

  /** The next message that is not ignored. */
  async #hear(expected: unknown): Promise<JsonObject> {
    for (;;) {
      const line = await this.#end.heard.next(this.#patienceMs)
      if (line === undefined) throw new Error('the server has ended')
      const message = JSON.parse(line)
      this.#judge(message)
      if (!this.#isIgnored(message, expected)) return message
    }
  }

  /** What a server says must also fit the official schema of the revision, where that is at hand. */
  #judge(message: unknown): void {
    const spec = this.#transcript.open ? findSpec(this.#revision) : undefined
    const unreadable = isObject(message) && 'error' in message && (message['id'] ?? null) === null
    if (spec === undefined || !isObject(message) || unreadable) return
    const method = this.#asked.get(message['id'])
    if ('result' in message && method === undefined) return
    const wrong = judgeTasks({ message, method }) ?? judge(spec, { message, method })
    if (wrong.length > 0)
      throw new Error(`it does not fit the schema of ${this.#revision}: ${wrong.join('; ')}`)
  }

  #isIgnored(message: unknown, expected: unknown): boolean {
    if (this.#transcript.notices === 'expected' || !isObject(message)) return false
    const isNotice = typeof message['method'] === 'string' && message['id'] === undefined
    return isNotice && !(isObject(expected) && expected['method'] === message['method'])
  }

  /** A revision without a handshake has every request say who sends it. */
  #introduced(params: JsonObject | undefined): JsonObject | undefined {
    const { open, capabilities } = this.#transcript
    if (!open || this.#handshake) return params
    const meta = params?.['_meta']
    const introduction = {
      [`${META}protocolVersion`]: this.#revision,
      [`${META}clientCapabilities`]: capabilities,
      [`${META}clientInfo`]: CLIENT_INFO,
    }
    return { ...params, _meta: { ...introduction, ...(isObject(meta) ? meta : {}) } }
  }

  #sayCall(head: JsonObject, params: JsonObject | undefined): void {
    const filled = params === undefined ? {} : { params: fill(params, this.#caught) }
    this.#say({ jsonrpc: '2.0', ...head, ...filled })
  }

  #say(message: JsonObject): void {
    if ('id' in message && 'method' in message) this.#asked.set(message['id'], String(message['method']))
    this.#end.say(JSON.stringify(message))
  }
}
