import { isTerminal, Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Asks whoever sits there; where nobody does, it has to be said beforehand. */
export async function isConfirmed(question: string): Promise<boolean> {
  if (!isTerminal()) throw new UsageError('there is nobody to ask: add --yes, or look first with --print')
  const terminal = new Terminal()
  const answer = await terminal.ask(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer ?? '')
}
