import type {
  Answers,
  Asked,
  ConnectOptions,
  ElicitParams,
  ElicitResult,
  RootsResult,
} from '../../client/index.ts'
import { isTerminal, Terminal } from '../terminal.ts'
import { askForm } from './form.ts'
import type { CommandOutput } from './output.ts'
import { oneLine } from './printable.ts'

/** Whoever typed the command, as somebody the server may ask. */
export class Person {
  readonly #output: CommandOutput
  readonly #interrupt: () => void
  #server = 'the server'
  #terminal: Terminal | undefined
  /** People are asked one thing at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(output: CommandOutput, interrupt: () => void) {
    this.#output = output
    this.#interrupt = interrupt
  }

  /** What can be answered here: questions where somebody sits at a terminal, folders where some were named. */
  answering(roots: RootsResult['roots']): Pick<ConnectOptions, 'answers' | 'capabilities'> {
    const answers: Answers = {
      ...(isTerminal() && {
        'elicitation/create': (params, asked) => this.#inTurn(() => this.#elicit(params, asked)),
      }),
      ...(roots.length > 0 && { 'roots/list': () => ({ roots }) }),
    }
    return { answers, capabilities: isTerminal() ? { elicitation: { form: {}, url: {} } } : {} }
  }

  /** The server has said what it is called. */
  meet(server: string): void {
    this.#server = oneLine(server, 100)
  }

  leave(): void {
    this.#terminal?.close()
  }

  #inTurn(ask: () => Promise<ElicitResult>): Promise<ElicitResult> {
    const turn = this.#last.then(ask, ask)
    this.#last = turn
    return turn
  }

  async #elicit(params: ElicitParams, { signal }: Asked): Promise<ElicitResult> {
    this.#output.showStatus('')
    this.#terminal ??= new Terminal(this.#interrupt)
    this.#output.note(`\n${this.#server} asks: ${String(params.message)}`)
    return params.mode === 'url'
      ? this.#visit(this.#terminal, params, signal)
      : askForm(this.#terminal, params, signal)
  }

  /** Nothing is opened for anybody: whoever wants to go there sees first where it leads. */
  async #visit(terminal: Terminal, { url }: ElicitParams, signal: AbortSignal): Promise<ElicitResult> {
    const to = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
    if (to === undefined || !/^https?:$/.test(to.protocol)) {
      this.#output.note(`It leads to no page: ${oneLine(String(url))}. Declined`)
      return { action: 'decline' }
    }
    this.#output.note(`It wants you to open a page at ${to.host}:\n  ${to.href}`)
    const answer = await terminal.ask('Have you done so, or will you? (yes/no) ', signal)
    if (answer === undefined) return { action: 'cancel' }
    return { action: /^(y|yes)$/i.test(answer) ? 'accept' : 'decline' }
  }
}
