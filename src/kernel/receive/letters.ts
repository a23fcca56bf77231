import type { Reply } from '../jsonrpc/message.ts'
import { printPart, saidBy } from '../jsonrpc/print.ts'

/** What a reply that will be part of a batch is made of in letters: one that is nothing but a text is not printed for that. */
export function lettersOf(reply: Reply): string {
  return saidAlone(reply) ?? printPart(reply)
}

function saidAlone(reply: Reply): string | undefined {
  try {
    if (!('result' in reply) || Object.keys(reply.result).length !== 2) return undefined
    const { content, isError } = reply.result
    const isOne = Array.isArray(content) && content.length === 1 && typeof isError === 'boolean'
    return isOne ? saidBy(content[0]) : undefined
  } catch {
    return undefined // What cannot be read is told by whoever prints it.
  }
}
