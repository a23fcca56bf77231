import {
  type Budgets,
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
  #room: Ledger<string> | undefined

  constructor(open: OpenSandbox = openQuickJs) {
    this.#open = open
  }

  sandbox({ budgets }: Server): Promise<Sandbox> {
    this.#opened ??= this.#open(limitsOf(budgets)).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  /** The bytes of scripts that wait, by caller. */
  room({ budgets, usage }: Server): Ledger<string> {
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
    outputBytes: budgets.maxScriptOutputBytes,
    logBytes: budgets.maxScriptLogBytes,
    imageBytes: budgets.maxScriptKeptBytes,
    threads: budgets.maxScriptThreads,
  }
}
