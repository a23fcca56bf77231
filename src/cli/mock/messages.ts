import { isObject, type JsonObject } from '../../kernel/index.ts'

/** A message, or those of a batch; undefined where it is neither. */
export function parseMessages(text: string): readonly JsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const messages = Array.isArray(value) ? value : [value]
    return messages.length > 0 && messages.every(isObject) ? messages : undefined
  } catch {
    return undefined // It is told to whoever sent it.
  }
}

export const PARSE_ERROR: JsonObject = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'Parse error' },
}
