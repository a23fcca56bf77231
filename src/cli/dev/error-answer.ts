import type { Id, JsonObject } from '../../kernel/index.ts'

/** The answer to a request that no child answers. */
export function errorAnswer(id: Id | null, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: -32_603, message } }
}
