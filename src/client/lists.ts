import type { JsonObject } from '../kernel/index.ts'
import { ClientError } from './errors.ts'
import type { Limits } from './limits.ts'
import { checkList, type ListMethod, nonsense } from './results.ts'

type AskPage = (params: JsonObject) => Promise<JsonObject>

/** All pages of a list, which together may be as long as one message; one that would not end is an error, and not half a list. */
export async function readAll(
  method: ListMethod,
  ask: AskPage,
  limits: Limits,
): Promise<readonly JsonObject[]> {
  let all: readonly JsonObject[] = []
  let cursor: string | undefined
  let size = 0
  for (let page = 1; page <= limits.maxPages; page++) {
    const result = await ask(cursor === undefined ? {} : { cursor })
    all = all.concat(checkList(method, result))
    if (all.length > limits.maxItems)
      throw endless(method, `more than ${limits.maxItems} entries`, 'maxItems')
    const next = nextCursor(method, result)
    if (next === undefined && page === 1) return all // No message is longer than that.
    size += JSON.stringify(result).length
    if (size > limits.maxMessageBytes)
      throw endless(method, `pages of more than ${limits.maxMessageBytes} bytes`, 'maxMessageBytes')
    if (next === undefined) return all
    if (next === cursor)
      throw new ClientError('nonsense', `The server answered ${method} with the same page twice`)
    cursor = next
  }
  throw endless(method, `more than ${limits.maxPages} pages`, 'maxPages')
}

/** An empty cursor is one; some servers say null where there is none. */
function nextCursor(method: ListMethod, { nextCursor }: JsonObject): string | undefined {
  if (nextCursor === undefined || nextCursor === null) return undefined
  if (typeof nextCursor === 'string') return nextCursor
  throw nonsense(method, 'nextCursor: expected a string', nextCursor)
}

function endless(method: string, what: string, limit: string): ClientError {
  return new ClientError('too-much', `The server answered ${method} with ${what} (${limit})`)
}
