import { parseArgs } from 'node:util'
import { suggest } from '../kernel/index.ts'
import type { Setting } from '../servers/ready-server.ts'
import type { GivenSettings } from './config-file.ts'
import type { SettingTable } from './settings.ts'
import { UsageError } from './usage-error.ts'

const SHORT = new Map([
  ['-h', '--help'],
  ['-v', '--version'],
])

/** What was typed after a command's name. */
export function readFlags(known: SettingTable, args: readonly string[]): GivenSettings {
  const { flags, words } = readLine(known, args)
  if (words[0] !== undefined) throw new UsageError(`${JSON.stringify(words[0])} is no option. See --help`)
  return flags
}

export interface CommandLine {
  readonly flags: GivenSettings
  /** What is no option. */
  readonly words: readonly string[]
}

/** What was typed before `--`, and the command after it. */
export function splitAtDashes(
  args: readonly string[],
): readonly [own: readonly string[], command: readonly string[]] {
  const mark = args.indexOf('--')
  return mark < 0 ? [args, []] : [args.slice(0, mark), args.slice(mark + 1)]
}

export interface WordTaken {
  readonly word: string | undefined
  /** What was typed beside it. */
  readonly rest: readonly string[]
}

/** Takes out the first word that is meant and belongs to no option; it may stand before options, or after them. */
export function takeWord(
  known: SettingTable,
  args: readonly string[],
  isMeant: (word: string) => boolean = (word) => !word.startsWith('-'),
): WordTaken {
  const at = args.findIndex((word, place) => isMeant(word) && !wantsValue(known, args[place - 1] ?? ''))
  return at < 0 ? { word: undefined, rest: args } : { word: args[at], rest: args.toSpliced(at, 1) }
}

/** Whether the word after it belongs to it. */
function wantsValue(known: SettingTable, word: string): boolean {
  const name = word.startsWith('--') ? word.slice(2) : ''
  return Object.hasOwn(known, name) && known[name]?.kind !== 'switch'
}

/** The same for a command that takes more than options. */
export function readLine(known: SettingTable, args: readonly string[]): CommandLine {
  const options = Object.fromEntries(Object.entries(known).map(([name, { kind }]) => [name, optionOf(kind)]))
  const { values, positionals, tokens } = parseArgs({
    args: args.map((arg) => SHORT.get(arg) ?? arg),
    options,
    strict: false, // Node's own words name neither what was probably meant nor where to look.
    tokens: true,
  })
  for (const token of tokens) checkToken(token, known)
  checkOnce(tokens, known)
  return { flags: values, words: positionals }
}

function optionOf(kind: Setting['kind']): { type: 'string' | 'boolean'; multiple?: boolean } {
  return kind === 'switch' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'many' }
}

type Token =
  | { readonly kind: 'option-terminator' | 'positional' }
  | {
      readonly kind: 'option'
      readonly name: string
      readonly rawName: string
      readonly value?: string | undefined
    }

function checkToken(token: Token, known: SettingTable): void {
  if (token.kind !== 'option') return
  const { name, rawName, value } = token
  const setting = Object.hasOwn(known, name) ? known[name] : undefined
  if (setting === undefined || !rawName.startsWith('--'))
    throw new UsageError(`there is no option ${rawName}. ${meant(name, known, '--')}See --help`)
  if (setting.kind === 'switch') {
    if (value !== undefined)
      throw new UsageError(`${rawName}: it takes no value, got ${JSON.stringify(value)}`)
    return
  }
  // A value that is another option is one that was forgotten.
  if (value === undefined || /^--[a-z]/.test(value)) {
    const got = value === undefined ? 'nothing' : value
    throw new UsageError(`${rawName}: expected a value (${setting.placeholder ?? 'TEXT'}), got ${got}`)
  }
}

/** The last of several would count, and whoever typed the others believes that they do; a key is not repeated. */
function checkOnce(tokens: readonly Token[], known: SettingTable): void {
  const given = new Map<string, Set<string | undefined>>()
  for (const token of tokens)
    if (token.kind === 'option' && known[token.name]?.kind === undefined)
      given.set(token.name, (given.get(token.name) ?? new Set()).add(token.value))
  for (const [name, { size }] of given)
    if (size > 1) {
      const how = name === 'key' ? ': part several by commas' : ''
      throw new UsageError(`--${name}: expected one value, got ${size} that differ${how}`)
    }
}

/** A question with the nearest name, if one is near. */
export function meant(name: string, known: SettingTable, before = ''): string {
  const nearest = suggest(name, Object.keys(known))
  return Object.hasOwn(known, nearest) ? `Did you mean ${before}${nearest}? ` : ''
}
