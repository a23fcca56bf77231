import type { Id, Outgoing, Reply } from '../jsonrpc/message.ts'
import { printPart, saidBy } from '../jsonrpc/print.ts'

/** What a reply that will be part of a batch is made of in letters: one that is nothing but a text is not printed for that. */
export function lettersOf(reply: Reply): string {
  return sayingOf(reply)?.text ?? printPart(reply)
}

/** A reply that is a text and nothing else. */
interface TextReply {
  readonly id: Id
  readonly text: string
  readonly isError: boolean
}

/**
 * What a message that is a text and nothing else says, read once.
 * @example const text = sayingOf({ jsonrpc: '2.0', id: 1, result: {} })?.text
 */
export function sayingOf(message: Outgoing): TextReply | undefined {
  try {
    if (!('result' in message) || message.id === undefined) return undefined
    const { content, isError } = message.result
    if (Object.keys(message.result).length !== 2 || typeof isError !== 'boolean') return undefined
    const text = Array.isArray(content) && content.length === 1 ? saidBy(content[0]) : undefined
    return text === undefined ? undefined : { id: message.id, text, isError }
  } catch {
    return undefined // What cannot be read is told by whoever prints it.
  }
}
