import type { Id, Outgoing, Reply } from '../jsonrpc/message.ts'
import { printPart, saidBy } from '../jsonrpc/print.ts'

interface HeldReply {
  /** As it is now, whatever becomes of what its tool gave. */
  readonly unchanging: Reply
  /** What it is made of; one that is nothing but a text is not printed for that. */
  readonly letters: string
}

/** A reply that will be part of a batch, and waits for the rest of it. */
export function holdReply(reply: Reply): HeldReply {
  const said = sayingOf(reply)
  return said === undefined
    ? { unchanging: reply, letters: printPart(reply) }
    : { unchanging: textReply(said), letters: said.text }
}

/**
 * The reply that says a text and nothing else.
 * @example const reply = textReply({ id: 1, text: 'Moon', isError: false })
 */
export function textReply({ id, text, isError }: TextReply): Reply {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError } }
}

/** A reply that is a text and nothing else. */
export interface TextReply {
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
