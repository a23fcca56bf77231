import { defineModule, type Module } from '../../authoring/define.ts'
import { type Call, type Handler, type Result, type Server, toWire } from '../../kernel/index.ts'
import { type CallFollower, followCall } from '../../middleware/telemetry/follow-call.ts'
import { printRedacted } from '../../middleware/telemetry/redact.ts'
import { describeCall } from '../../middleware/telemetry/subject.ts'
import { ownerOf } from '../../modules/upstream/siblings.ts'
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
  readonly outcome: 'ok' | 'asked' | 'tool_error' | 'error' | 'cancelled'
  readonly code?: number
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
  return defineModule({
    name: 'audit',
    wraps: 'outermost',
    middleware: [
      (call, next) => {
        const seen = call as unknown as Call // The kernel's own face.
        return METHODS.includes(seen.method)
          ? followCall(
              seen,
              next as Handler,
              new AuditedCall(seen, withArguments, (line) => file.add(JSON.stringify(line))),
            )
          : next(call)
      },
    ],
    open: (seen) => {
      const server = seen as Server // The kernel's own face.
      complain.add((message) => server.observe({ kind: 'noted', level: 'error', message }))
      if (!process.stdin.isTTY) process.on('SIGHUP', again) // A terminal that is closed says so by the same signal.
    },
    close: () => {
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

class AuditedCall implements CallFollower {
  readonly #call: Call
  readonly #withArguments: boolean
  readonly #add: (line: AuditLine) => void
  readonly #began = performance.now()

  constructor(call: Call, withArguments: boolean, add: (line: AuditLine) => void) {
    this.#call = call
    this.#withArguments = withArguments
    this.#add = add
  }

  succeeded(result: Result): void {
    const isAsking = result['resultType'] === 'input_required'
    const outcome = result['isError'] === true ? 'tool_error' : isAsking ? 'asked' : 'ok'
    if (this.#call.upstream !== undefined || outcome === 'tool_error') this.#tell({ outcome }, sizeOf(result))
  }

  failed(error: unknown): void {
    const { peer, server } = this.#call
    const told = toWire(error, peer.revision.codes, server.dialect.codes)
    this.#tell({ outcome: 'error', code: told.code }, sizeOf(told))
  }

  cancelled(): void {
    this.#tell({ outcome: 'cancelled' }, 0)
  }

  #tell(ending: Pick<AuditLine, 'outcome' | 'code'>, out: number): void {
    const { principal, peer, params, server, upstream } = this.#call
    const { method, tool, prompt, uri } = describeCall(this.#call, true)
    const name = tool ?? prompt
    this.#add({
      time: new Date(server.platform.now()).toISOString(),
      who: principal === undefined || principal.anonymous === true ? null : principal.id,
      client: peer.info === undefined ? null : `${peer.info.name} ${peer.info.version}`.trim().slice(0, 128),
      upstream: upstream ?? (name && ownerOf(name, server)) ?? null, // What is refused here reaches none.
      method,
      name: name ?? uri ?? null,
      ...ending,
      ms: Math.round((performance.now() - this.#began) * 1000) / 1000,
      bytes: { in: sizeOf(params?.['arguments']), out },
      ...(this.#withArguments && { arguments: printRedacted(params?.['arguments']) ?? '' }),
    })
  }
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
}
