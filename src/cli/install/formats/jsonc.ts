import { isObject, type JsonObject } from '../../../kernel/index.ts'
import {
  type EntryPath,
  eolOf,
  indentAt,
  lineStart,
  type SettingsFormat,
  splice,
  stepOf,
  UnreadableText,
} from './format.ts'
import { type JsoncMember, type JsoncNode, parseJsonc } from './jsonc-tree.ts'

/** JSON, with comments and trailing commas where somebody has put them. */
export const jsonc: SettingsFormat = {
  parse(text) {
    const { value = {} } = parseJsonc(text) ?? {}
    if (isObject(value)) return value
    throw new UnreadableText('expected an object', text, 0)
  },

  put(text, path, value) {
    const root = parseJsonc(text)
    if (root !== undefined) return putInto(text, root, { path, value })
    const eol = eolOf(text)
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return `${text}${gap}${print(nest(path, value), text, '')}${eol}`
  },

  drop(text, path) {
    let node = parseJsonc(text)
    let found: JsoncMember | undefined
    let siblings: readonly JsoncMember[] = []
    for (const name of path) {
      siblings = node?.members ?? []
      found = siblings.findLast(({ key }) => key === name)
      node = found?.node
    }
    return found === undefined ? text : dropMember(text, siblings, found)
  },
}

interface JsoncEntry {
  readonly path: EntryPath
  readonly value: JsonObject
}

function putInto(text: string, node: JsoncNode, { path, value }: JsoncEntry): string {
  const [name = '', ...rest] = path
  if (node.members === undefined) throw new UnreadableText('expected an object', text, node.start)
  const member = node.members.findLast(({ key }) => key === name)
  if (member === undefined) return insert(text, node, { path, value })
  if (rest.length > 0) return putInto(text, member.node, { path: rest, value })
  const { start, end } = member.node
  return splice(text, [start, end], print(value, text, indentAt(text, start)))
}

function insert(text: string, node: JsoncNode, { path, value }: JsoncEntry): string {
  const [name = '', ...rest] = path
  const last = node.members?.at(-1)
  const nested = nest(rest, value)
  if (last === undefined) return fill(text, node, { path: [name], value: nested })
  if (!text.slice(node.start, last.at).includes('\n')) {
    const member = `${JSON.stringify(name)}: ${JSON.stringify(nested)}`
    if (last.comma !== undefined) return splice(text, [last.comma, last.comma], ` ${member},`)
    return splice(text, [last.node.end, last.node.end], `, ${member}`)
  }
  const indent = indentOf(text, node, last)
  const member = `${eolOf(text)}${indent}${JSON.stringify(name)}: ${print(nested, text, indent)}`
  // A remark at the end of a line is about that line.
  const end = last.comma ?? last.node.end
  const remark = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y
  remark.lastIndex = end
  const kept = remark.exec(text)?.[0] ?? ''
  const [comma, after] = last.comma === undefined ? [',', ''] : ['', ',']
  return splice(text, [end, end + kept.length], `${comma}${kept}${member}${after}`)
}

/** Into an object that has nothing, or remarks, which stay. */
function fill(text: string, { start, end }: JsoncNode, { path, value }: JsoncEntry): string {
  const outer = indentAt(text, start)
  const indent = outer + stepOf(text)
  const eol = eolOf(text)
  const inside = text.slice(start + 1, end - 1)
  const kept = inside.trim() === '' && !inside.includes('\n') ? '' : inside
  const close = kept.includes('\n') ? '' : `${eol}${outer}`
  const member = `${eol}${indent}${JSON.stringify(path[0])}: ${print(value, text, indent)}`
  return splice(text, [start + 1, end - 1], `${member}${kept}${close}`)
}

function indentOf(text: string, node: JsoncNode, member: JsoncMember): string {
  const before = text.slice(lineStart(text, member.at), member.at)
  return before.trim() === '' ? before : indentAt(text, node.start) + stepOf(text)
}

function dropMember(text: string, siblings: readonly JsoncMember[], member: JsoncMember): string {
  const before = siblings[siblings.indexOf(member) - 1]
  const isLast = siblings.at(-1) === member
  const from = startOf(text, member.at)
  const without = splice(text, [from, member.comma ?? member.node.end], '')
  if (!isLast || member.comma !== undefined || before?.comma === undefined) return without
  return splice(without, [before.comma - 1, before.comma], '')
}

/** With its line, where it is the first in it. */
function startOf(text: string, at: number): number {
  const start = lineStart(text, at)
  if (text.slice(start, at).trim() !== '')
    return at - (/[ \t]*$/.exec(text.slice(start, at))?.[0].length ?? 0)
  return text.slice(0, start).endsWith('\r\n') ? start - 2 : Math.max(0, start - 1)
}

function nest(path: EntryPath, value: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), value)
}

function print(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, stepOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`)
}
