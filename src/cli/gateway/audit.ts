import { defineModule, type Module } from '../../authoring/define.ts'
import {
  type Call,
  findRelayed,
  type Handler,
  type JsonObject,
  type Result,
  type Server,
  toWire,
} from '../../kernel/index.ts'
import { type CallFollower, followCall } from '../../middleware/telemetry/follow-call.ts'
import { printRedacted, tellName } from '../../middleware/telemetry/redact.ts'
import { escapeUnseen } from '../../middleware/telemetry/sinks/escape-unseen.ts'
import { describeCall } from '../../middleware/telemetry/subject.ts'
import { ownerOf } from '../../modules/upstream/siblings.ts'
import { taskIn } from '../../modules/upstream/upstream-task.ts'
import { LineFile } from '../line-file.ts'
import { UsageError } from '../usage-error.ts'

export interface AuditOptions {
  readonly path: string
  /** Whether lines hold what was asked, too. */
  readonly withArguments: boolean
}

/** One call, as it stands in a line. */
export interface AuditLine {
  readonly time: string
  /** Who called, as far as that was proved; null for whoever has started the gateway. */
  readonly who: string | null
  /** What the caller calls itself. */
  readonly client: string | null
  /** The server that was called, or would have been by the name. */
  readonly upstream: string | null
  readonly method: string
  /** The tool, the prompt, or the resource without what is asked of it. */
  readonly name: string | null
  readonly outcome: 'ok' | 'asked' | 'task' | 'tool_error' | 'error' | 'cancelled'
  readonly code?: number
  /** The task that it has become; when that is over, there is another line. */
  readonly task?: string
  readonly ms: number
  /** Of what was asked, and of what was answered, as JSON. */
  readonly bytes: { readonly in: number; readonly out: number }
  readonly arguments?: string
}

const METHODS = ['tools/call', 'resources/read', 'prompts/get']

/** Writes a line for each call that goes to an upstream or is refused. */
export function audit({ path, withArguments }: AuditOptions): Module {
  const complain = new Set<(message: string) => void>()
  const file = openFile(path, (message) => {
    for (const tell of complain) tell(message)
  })
  const again = () => file.close()
  const closing = new AbortController()
  const follow: AuditedCallOptions = {
    withArguments,
    add: (line) => file.add(escapeUnseen(JSON.stringify(line))),
    signal: closing.signal,
  }
  return defineModule({
    name: 'audit',
    wraps: 'outermost',
    middleware: [
      (call, next) => {
        const seen = call as unknown as Call // The kernel's own face.
        const extension = extensionOf(seen)
        if (extension === undefined && !METHODS.includes(seen.method)) return next(call)
        return followCall(seen, next as Handler, new AuditedCall(seen, extension, follow))
      },
    ],
    open: (seen) => {
      const server = seen as Server // The kernel's own face.
      complain.add((message) => server.observe({ kind: 'noted', level: 'error', message }))
      if (!process.stdin.isTTY) process.on('SIGHUP', again) // A terminal that is closed says so by the same signal.
    },
    close: () => {
      closing.abort()
      process.off('SIGHUP', again)
      complain.clear()
      file.close()
    },
  })
}

function openFile(path: string, complain: (message: string) => void): LineFile {
  try {
    return new LineFile(path, { loses: 'calls are not audited', complain })
  } catch (error) {
    throw new UsageError(`audit: ${path} cannot be written: ${(error as Error).message}`)
  }
}

/** Whose extension a method is of, as far as that can be told before it has answered. */
function extensionOf({ method, peer, server, principal }: Call): string | undefined {
  if (peer.revision.opening === 'handshake') return undefined // There are no words for it.
  return findRelayed(method, server.relaying, principal)?.upstream
}

interface AuditedCallOptions {
  readonly withArguments: boolean
  readonly add: (line: AuditLine) => void
  /** When nobody follows tasks any more. */
  readonly signal: AbortSignal
}

type Ending = Pick<AuditLine, 'outcome' | 'code' | 'task'>

class AuditedCall implements CallFollower {
  readonly #call: Call
  readonly #extension: string | undefined
  readonly #options: AuditedCallOptions
  readonly #began = performance.now()

  constructor(call: Call, extension: string | undefined, options: AuditedCallOptions) {
    this.#call = call
    this.#extension = extension
    this.#options = options
  }

  succeeded(result: Result): void {
    const task = this.#call.method === 'tools/call' ? taskIn(result)?.taskId : undefined
    const outcome = task === undefined ? outcomeOf(result) : 'task'
    if (this.#call.upstream === undefined && outcome !== 'tool_error') return
    this.#tell({ outcome, ...(task !== undefined && { task }) }, sizeOf(result))
    if (task !== undefined) this.#follow(task).catch(() => {}) // A store that fails is told of by itself.
  }

  failed(error: unknown): void {
    const { peer, server } = this.#call
    const told = toWire(error, peer.revision.codes, server.dialect.codes)
    this.#tell({ outcome: 'error', code: told.code }, sizeOf(told))
  }

  cancelled(): void {
    this.#tell({ outcome: 'cancelled' }, 0)
  }

  /** What has become of a task is known here as long as this process works on it. */
  async #follow(task: string): Promise<void> {
    const tasks = this.#call.server.tasks()
    const record = await tasks.until(
      task,
      ({ outcome }) => !GOING_ON.includes(outcome.status),
      this.#options.signal,
    )
    if (record === undefined) return // It has expired, or this process ends.
    const { outcome } = record
    if (outcome.status === 'completed')
      this.#tell({ outcome: outcomeOf(outcome.result), task }, sizeOf(outcome.result))
    else if (outcome.status === 'failed')
      this.#tell({ outcome: 'error', code: outcome.error.code, task }, sizeOf(outcome.error))
    else this.#tell({ outcome: 'cancelled', task }, 0)
  }

  #tell(ending: Ending, out: number): void {
    const { principal, peer, server, upstream } = this.#call
    const { method, tool, prompt, uri } = describeCall(this.#call, true)
    const name = tool ?? prompt
    this.#options.add({
      time: new Date(server.platform.now()).toISOString(),
      who: principal === undefined || principal.anonymous === true ? null : principal.id,
      client: peer.info === undefined ? null : tellName(`${peer.info.name} ${peer.info.version}`.trim()),
      upstream: upstream ?? this.#extension ?? (name && ownerOf(name, server)) ?? null, // What is refused here reaches none.
      method,
      name: name ?? uri ?? null,
      ...ending,
      ms: Math.round((performance.now() - this.#began) * 1000) / 1000,
      bytes: { in: sizeOf(this.#asked), out },
      ...(this.#options.withArguments && { arguments: printRedacted(this.#asked) ?? '' }),
    })
  }

  /** What is asked of an extension only that knows how to read. */
  get #asked(): unknown {
    const { params } = this.#call
    if (this.#extension === undefined) return params?.['arguments']
    const { _meta, ...asked }: JsonObject = params ?? {}
    return asked
  }
}

const GOING_ON: readonly string[] = ['working', 'input_required']

function outcomeOf(result: Result): AuditLine['outcome'] {
  if (result['isError'] === true) return 'tool_error'
  return result['resultType'] === 'input_required' ? 'asked' : 'ok'
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}
