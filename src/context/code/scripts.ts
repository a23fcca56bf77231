import {
  type Budgets,
  type Call,
  Ledger,
  type OpenSandbox,
  ownerOf,
  type Part,
  type Sandbox,
  type ScriptLimits,
  type Server,
} from '../../kernel/index.ts'

/** What a server has for scripts: a sandbox, opened when it starts or when the first script comes, and room to keep them. */
export class Scripts {
  readonly #open: OpenSandbox
  #opened: Promise<Sandbox> | undefined
  #unwatch: (() => void) | undefined
  #room: Ledger<string> | undefined
  /** What gives back the room of each script that waits. */
  readonly #held = new Map<string, () => void>()
  /** Those that have a place to run in. */
  running = 0

  constructor(open: OpenSandbox = openQuickJs) {
    this.#open = open
  }

  sandbox({ budgets, usage }: Server): Promise<Sandbox> {
    this.#unwatch ??= usage.watch('maxScriptThreads', () => this.running)
    this.#opened ??= this.#open(limitsOf(budgets)).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  /** Takes room for a script that waits, until it goes on here or can no longer; throws a Fault where there is none. */
  hold(id: string, bytes: number, { server, owner }: Call): void {
    const room = this.#roomOf(server)
    room.add(owner, bytes)
    const callOff = server.platform.after(server.settings.stateTtlMs, () => this.release(id))
    this.#held.set(id, () => {
      callOff()
      room.remove(owner, bytes)
    })
  }

  release(id: string): void {
    this.#held.get(id)?.()
    this.#held.delete(id)
  }

  /** The bytes of scripts that wait, by caller. */
  #roomOf({ budgets, usage }: Server): Ledger<string> {
    this.#room ??= new Ledger({
      budgets,
      usage,
      each: 'maxScriptStorePerCallerBytes',
      all: 'maxScriptStoreBytes',
      exempt: ownerOf(undefined),
    })
    return this.#room
  }

  /** Whoever starts the server is told at once what is missing. */
  part(server: Server): Part {
    return {
      name: 'sandbox',
      open: () => this.sandbox(server),
      close: async () => {
        const opened = this.#opened
        this.#opened = undefined
        this.#unwatch?.()
        this.#unwatch = undefined
        await (await opened)?.close()
      },
    }
  }
}

const openQuickJs: OpenSandbox = async (limits) =>
  (await import('../../sandbox/index.ts')).openQuickJs(limits)

function limitsOf(budgets: Budgets): ScriptLimits {
  return {
    milliseconds: budgets.maxScriptMs,
    memoryBytes: budgets.maxScriptMemoryBytes,
    calls: budgets.maxScriptCalls,
    argumentBytes: budgets.maxScriptArgumentsBytes,
    stepBytes: budgets.maxScriptStepBytes,
    outputBytes: budgets.maxScriptOutputBytes,
    logBytes: budgets.maxScriptLogBytes,
    imageBytes: budgets.maxScriptKeptBytes,
    threads: budgets.maxScriptThreads,
  }
}
