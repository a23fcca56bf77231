import {
  type Document,
  isMap,
  isNode,
  isScalar,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLMap,
} from 'yaml'
import { isObject, type JsonObject } from '../../../kernel/index.ts'
import {
  type EntryPath,
  eolOf,
  indentAt,
  lineEnd,
  lineStart,
  type SettingsFormat,
  splice,
  UnreadableText,
} from './format.ts'

/** YAML, as goose has it: an entry two names deep. */
export const yaml: SettingsFormat = {
  parse(text) {
    const value = readValue(text) ?? {}
    if (isObject(value)) return value
    throw new UnreadableText('expected names and values', text, 0)
  },

  put(text, path, value) {
    const [outer = '', name = ''] = path
    const root = read(text).contents
    const eol = eolOf(text)
    if (root === null) return `${endLine(text)}${print({ [outer]: { [name]: value } }, '', eol)}`
    if (!isMap(root)) throw new UnreadableText('expected names and values', text, 0)
    if (root.flow === true) return putIntoFlow(text, root, { path, value })
    const pair = pairOf(root, outer)
    if (pair === undefined) {
      const indent = indentAt(text, startOf(root.items[0]))
      return `${endLine(text)}${print({ [outer]: { [name]: value } }, indent, eol)}`
    }
    const map = pair.value
    if (isMap(map) && map.flow === true) return putIntoFlow(text, map, { path: [name], value })
    if (isMap(map)) return putIntoBlock(text, map, { path: [name], value })
    if (isNode(map) && !(isScalar(map) && map.value === null))
      throw new UnreadableText(`${outer}: expected names`, text, startOf(pair))
    return putUnder(text, pair, { path: [name], value })
  },

  drop(text, path) {
    const [outer = '', name = ''] = path
    const root = read(text).contents
    const pair = isMap(root) ? pairOf(root, outer) : undefined
    const map = pair?.value
    const found = isMap(map) ? pairOf(map, name) : undefined
    if (pair === undefined || !isMap(map) || found === undefined) return text
    if (map.flow === true) return dropFromFlow(text, map, found)
    const [from, to] = linesOf(text, found)
    if (map.items.length > 1) return splice(text, [from, to], '')
    return splice(splice(text, [from, to], ''), atColon(text, pair), ' {}')
  },
}

interface YamlEntry {
  readonly path: EntryPath
  readonly value: JsonObject
}

function readValue(text: string): unknown {
  const document = read(text)
  try {
    const value: unknown = document.toJS()
    JSON.stringify(value) // It throws for what has itself within it.
    return value
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new UnreadableText(reason, text, aliasAt(document))
  }
}

/** The place of the first alias that stands for nothing, or else of the first. */
function aliasAt(document: Document): number {
  const found: { readonly at: number; readonly isLost: boolean }[] = []
  visit(document, {
    Alias(_key, alias) {
      found.push({ at: alias.range?.[0] ?? 0, isLost: alias.resolve(document) === undefined })
    },
  })
  return (found.find(({ isLost }) => isLost) ?? found[0])?.at ?? 0
}

function read(text: string) {
  const document = parseDocument(text, { logLevel: 'error' })
  const [error] = document.errors
  if (error === undefined) return document
  throw new UnreadableText(
    error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? '',
    text,
    error.pos[0],
  )
}

function putIntoBlock(text: string, map: YAMLMap, { path: [name = ''], value }: YamlEntry): string {
  const indent = ' '.repeat(columnOf(text, startOf(map.items[0])))
  const block = print({ [name]: value }, indent, eolOf(text))
  const old = pairOf(map, name)
  if (old !== undefined) return splice(text, linesOf(text, old), block)
  const [, end] = linesOf(text, map.items.at(-1))
  const whole = endLine(text.slice(0, end))
  return `${whole}${block}${text.slice(end)}`
}

/** `extensions:` with nothing behind it, or with a word for nothing. */
function putUnder(text: string, pair: Pair, { path: [name = ''], value }: YamlEntry): string {
  const [colon] = atColon(text, pair)
  const [from, to] = isNode(pair.value)
    ? [pair.value.range?.[0] ?? colon, pair.value.range?.[1] ?? colon]
    : [colon, colon]
  const cleared = from < to ? splice(text, [from, to], '') : text
  const end = lineEnd(cleared, colon)
  const eol = eolOf(text)
  const indent = `${indentAt(text, startOf(pair))}  `
  const block = print({ [name]: value }, indent, eol)
  return splice(cleared, [end, end], `${eol}${block.slice(0, -eol.length)}`)
}

/** At its beginning, where a comma at its end does not matter. */
function putIntoFlow(text: string, map: YAMLMap, { path, value }: YamlEntry): string {
  const [name = '', ...rest] = path
  const old = pairOf(map, name)
  if (isMap(old?.value) && rest.length > 0) return putIntoFlow(text, old.value, { path: rest, value })
  const nested = rest.reduceRight<JsonObject>((inner, one) => ({ [one]: inner }), value)
  const [start = 0] = map.range ?? []
  if (isNode(old?.value)) {
    const [from = 0, to = 0] = old.value.range ?? []
    return splice(text, [from, to], JSON.stringify(nested))
  }
  const member = `${JSON.stringify(name)}: ${JSON.stringify(nested)}${map.items.length > 0 ? ', ' : ''}`
  return splice(text, [start + 1, start + 1], member)
}

/** With the comma behind it, or else with the one before it; one that is left over does no harm. */
function dropFromFlow(text: string, map: YAMLMap, pair: Pair): string {
  const [from, end] = [startOf(pair), endOf(pair)]
  const [after] = /^\s*,[ \t]*/.exec(text.slice(end)) ?? []
  if (after !== undefined) return splice(text, [from, end + after.length], '')
  const before = map.items[map.items.indexOf(pair) - 1]
  const start = before === undefined ? from : endOf(before)
  const isPlain = /^[\s,]*$/.test(text.slice(start, from)) // Remarks stay.
  return splice(text, [isPlain ? start : from, end], '')
}

function endOf({ key, value }: Pair): number {
  const last = isNode(value) ? value : key
  return isNode(last) ? (last.range?.[1] ?? 0) : 0
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
}

function startOf(pair: Pair | undefined): number {
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0
}

/** The lines of a pair, to the last one that has something of it. */
function linesOf(text: string, pair: Pair | undefined): readonly [number, number] {
  const from = lineStart(text, startOf(pair))
  const key = isNode(pair?.key) ? (pair.key.range?.[1] ?? from) : from
  const value = isNode(pair?.value) ? (pair.value.range?.[1] ?? key) : key
  const last = from + text.slice(from, value).trimEnd().length
  const end = lineEnd(text, last)
  return [from, text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length)]
}

/** The place behind the colon of a pair. */
function atColon(text: string, pair: Pair): readonly [number, number] {
  const from = isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0
  const colon = text.indexOf(':', from) + 1
  return [colon, colon]
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at)
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eolOf(text)
}

function print(value: JsonObject, indent: string, eol: string): string {
  const lines = stringify(value, { lineWidth: 0 }).trimEnd().split('\n')
  return lines.map((line) => `${line === '' ? '' : indent}${line}${eol}`).join('')
}
