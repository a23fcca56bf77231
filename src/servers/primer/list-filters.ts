import { checkOptionalString, isObject, type JsonObject, type Middleware } from '../../kernel/index.ts'
import { changing } from '../changing.ts'

/** The lists by the method that gives them: what the server has them under, and what they are called in a result. */
const LISTS = {
  'tools/list': { list: 'tools', member: 'tools', key: 'name' },
  'resources/list': { list: 'resources', member: 'resources', key: 'uri' },
  'resources/templates/list': { list: 'templates', member: 'resourceTemplates', key: 'uriTemplate' },
  'prompts/list': { list: 'prompts', member: 'prompts', key: 'name' },
} as const

/** Lists can be narrowed: by `type`, `uriPattern`, `namePattern` and `category`. A page may then be short of entries. */
export const listFilters: Middleware = (call, next) => {
  if (!Object.hasOwn(LISTS, call.method)) return next(call)
  const keeps = readFilter(call.params)
  if (keeps === undefined) return next(call)
  const { list, member, key } = LISTS[call.method as keyof typeof LISTS]
  const kept = new Set<unknown>()
  // What an entry is looked at by may not be told in every revision.
  for (const offered of call.server[list].visible(call.principal))
    if (keeps(offered.listed)) kept.add(offered.key)
  return changing(next(call), (result) => {
    const entries = result[member] as readonly JsonObject[] // It is the list's own result.
    return { ...result, [member]: entries.filter((entry) => kept.has(entry[key])) }
  })
}

const FILTERS: { readonly [name: string]: (entry: JsonObject, wanted: string) => boolean } = {
  type: ({ mimeType }, wanted) => mimeType === wanted || String(mimeType).startsWith(`${wanted}/`),
  uriPattern: ({ uri }, wanted) => matches(String(uri), wanted),
  namePattern: ({ name }, wanted) => matches(String(name), wanted),
  category: ({ _meta }, wanted) => isObject(_meta) && _meta['category'] === wanted,
}

/** The filter that a request asks for; undefined when it asks for none. */
function readFilter(params: JsonObject | undefined): ((entry: JsonObject) => boolean) | undefined {
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
