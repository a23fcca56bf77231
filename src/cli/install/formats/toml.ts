import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { type EntryPath, eolOf, lineEnd, lineStart, type SettingsFormat, splice } from './format.ts'
import { parseToml, type TomlStatement } from './toml-tree.ts'

/** TOML: an entry is a table of its own, at the end of the file. */
export const toml: SettingsFormat = {
  parse: (text) => parseToml(text).value,

  put(text, path, value) {
    const { statements } = parseToml(text)
    const first = statements.find((one) => isPartOf(one, path))
    const rest = first === undefined ? text : toml.drop(text, path)
    const block = print(path, value, eolOf(text))
    // A header ends the table that it stands in, so that it can only take the place of another.
    if (first?.kind === 'table') return insertAt(rest, lineStart(text, first.start), block)
    const gap = rest === '' || /\n\r?\n$/.test(rest) ? '' : eolOf(text)
    return `${endLine(rest)}${gap}${block}`
  },

  drop(text, path) {
    const mine = parseToml(text).statements.filter((one) => isPartOf(one, path))
    return mine.reduceRight((rest, { start, end }) => {
      const [from, last] = [lineStart(rest, start), lineEnd(rest, end)]
      const to = rest.startsWith('\r\n', last) ? last + 2 : Math.min(last + 1, rest.length)
      return splice(rest, [from, to], '')
    }, text)
  },
}

/** Headers and keys alike have the path that they lead to. */
function isPartOf({ path: own }: TomlStatement, path: EntryPath): boolean {
  return path.every((name, index) => own[index] === name)
}

function insertAt(text: string, at: number, block: string): string {
  return splice(text, [at, at], block)
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eolOf(text)
}

function print(path: EntryPath, value: JsonObject, eol: string): string {
  const pairs = Object.entries(value).map(([name, one]) => `${printKey(name)} = ${printValue(one)}${eol}`)
  return `[${path.map(printKey).join('.')}]${eol}${pairs.join('')}`
}

function printKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quote(name)
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  if (!isObject(value)) return quote(value)
  const members = Object.entries(value).map(([name, one]) => `${printKey(name)} = ${printValue(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** As in JSON, but for one character that TOML wants escaped. */
function quote(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}
