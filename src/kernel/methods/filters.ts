import { checkOptionalString } from '../check/params.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'

/** What narrows a list in the dialect that has filters, and how. */
const FILTERS: { readonly [name: string]: (entry: JsonObject, wanted: string) => boolean } = {
  type: ({ mimeType }, wanted) => mimeType === wanted || String(mimeType).startsWith(`${wanted}/`),
  uriPattern: ({ uri }, wanted) => matches(String(uri), wanted),
  namePattern: ({ name }, wanted) => matches(String(name), wanted),
  category: ({ _meta }, wanted) => isObject(_meta) && _meta['category'] === wanted,
}

/** The filter that a request asks for; undefined when it asks for none. */
export function readFilter(params: JsonObject | undefined): ((entry: JsonObject) => boolean) | undefined {
  const asked = Object.entries(FILTERS).flatMap(([name, keeps]) => {
    const wanted = checkOptionalString(params, name)
    return wanted === undefined ? [] : [(entry: JsonObject) => keeps(entry, wanted)]
  })
  return asked.length === 0 ? undefined : (entry) => asked.every((keeps) => keeps(entry))
}

/** `*` stands for any run of characters. Matched piece by piece, so that no pattern can take for ever. */
function matches(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
