import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { type BashCommand, parseBash } from './bash-commands.ts'
import { eolOf, lineEnd, lineStart, type SettingsFormat, splice, UnreadableText } from './format.ts'

/** A script of `mcp add` commands, as crush has it: an entry is a line of its own, where the script ends unless it replaces another. */
export const bash: SettingsFormat = {
  parse(text) {
    const commands = parseBash(text)
    const run = beforeEnd(commands)
    const isEntry = (one: BashCommand, at: number) => at < run.length && isAdd(one)
    const added = run.filter(isAdd).map(({ words }) => [words[2] ?? '', readFlags(words.slice(3))])
    const others = commands.filter((one, at) => !isEntry(one, at))
    return {
      mcp: Object.fromEntries(added),
      others: others.map(({ start, end }) => text.slice(start, end)),
    }
  },

  put(text, [, name = ''], value) {
    const line = print(name, value)
    const old = findAdd(text, name)
    if (old !== undefined) return splice(text, [old.start, old.end], line)
    const eol = eolOf(text)
    const commands = parseBash(text)
    const end = commands[beforeEnd(commands).length]
    if (end !== undefined) return putBefore(text, end.start, `${line}${eol}`)
    const whole = text === '' || text.endsWith('\n') ? text : text + eol
    return `${whole}${line}${eol}`
  },

  drop(text, [, name = '']) {
    const old = findAdd(text, name)
    if (old === undefined) return text
    const [from, end] = [lineStart(text, old.start), lineEnd(text, old.end)]
    if (text.slice(from, old.start).trim() !== '' || !/^\s*(?:#.*)?$/.test(text.slice(old.end, end)))
      throw new UnreadableText('other commands stand in the same line', text, old.start)
    return splice(text, [from, text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length)], '')
  },
}

/** What comes after a command that ends the script is never run. */
function beforeEnd(commands: readonly BashCommand[]): readonly BashCommand[] {
  const at = commands.findIndex(
    ({ words, isCertain }) => isCertain && /^(?:exit|return)$/.test(words[0] ?? ''),
  )
  return at < 0 ? commands : commands.slice(0, at)
}

function putBefore(text: string, at: number, line: string): string {
  const start = lineStart(text, at)
  const isFirst = text.slice(start, at).trim() === ''
  return isFirst ? splice(text, [start, start], line) : splice(text, [at, at], `${eolOf(text)}${line}`)
}

/** The last one counts. */
function findAdd(text: string, name: string): BashCommand | undefined {
  return beforeEnd(parseBash(text)).findLast((command) => isAdd(command) && command.words[2] === name)
}

function isAdd({ words }: BashCommand): boolean {
  return words[0] === 'mcp' && words[1] === 'add' && words[2] !== undefined
}

/** Flags that may be given again, with one value or with a name and a value. */
const LISTS = ['args', 'enabled-tools', 'disabled-tools']
const MAPS: { readonly [flag: string]: string } = { env: 'env', header: 'headers' }

function readFlags(words: readonly string[]): JsonObject {
  const value: { [name: string]: unknown } = {}
  for (let at = 0; at < words.length; ) {
    const flag = (words[at] ?? '').replace(/^--/, '')
    const [one = '', two = ''] = words.slice(at + 1)
    const map = MAPS[flag]
    if (map !== undefined) value[map] = { ...(value[map] as JsonObject | undefined), [one]: two }
    else value[flag] = LISTS.includes(flag) ? [...((value[flag] as string[] | undefined) ?? []), one] : one
    at += map === undefined ? 2 : 3
  }
  return value
}

function print(name: string, value: JsonObject): string {
  const flags = Object.entries(value).flatMap(([key, one]) => {
    if (Array.isArray(one)) return one.map((item) => `--${key} ${quote(String(item))}`)
    if (!isObject(one)) return [`--${key} ${quote(String(one))}`]
    const flag = Object.keys(MAPS).find((map) => MAPS[map] === key) ?? key
    return Object.entries(one).map(([own, item]) => `--${flag} ${quote(own)} ${quote(String(item))}`)
  })
  return ['mcp add', quote(name), ...flags].join(' ')
}

/** A text with a variable is left to the shell, which fills it in. */
function quote(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text
  if (!/\$\{[A-Za-z_]\w*\}/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  return `"${text.replaceAll(/["\\`]|\$(?!\{[A-Za-z_]\w*\})/g, '\\$&')}"`
}
