import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { type EntryPath, type SettingsFormat, UnreadableText } from './formats/format.ts'

/** What one edit has done to a text, so that it can be undone. */
export interface TextEdit {
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

/** What a text says at a path. */
export function findEntry(format: SettingsFormat, text: string, path: EntryPath): JsonObject | undefined {
  return entryIn(format.parse(bare(text)), path)
}

/** Whether something stands at a path, whatever it is. */
export function hasAnything(format: SettingsFormat, text: string, path: EntryPath): boolean {
  return valueIn(format.parse(bare(text)), path) !== undefined
}

/** The text with an entry; throws unless everything else says what it said. */
export function putEntry(
  format: SettingsFormat,
  text: string,
  entry: { path: EntryPath; value: JsonObject },
): string {
  const { path, value } = entry
  const edited = format.put(bare(text), path, value)
  const expected = withEntry(format.parse(bare(text)), path, value)
  if (!says(format, edited, expected)) throw tooTight(text)
  return mark(text) + edited
}

/** The text without an entry; the same holds for it. */
export function dropEntry(format: SettingsFormat, text: string, path: EntryPath): string {
  const edited = format.drop(bare(text), path)
  if (!saysWithout(format, { text, undone: edited, path })) throw tooTight(text)
  return mark(text) + edited
}

/** Where two texts differ, as one edit. */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before[at] === after[at]) at++
  let tail = 0
  while (tail < most - at && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return {
    at,
    removed: before.slice(at, before.length - tail),
    inserted: after.slice(at, after.length - tail),
  }
}

export function undoEdit(text: string, { at, removed, inserted }: TextEdit): string {
  return text.slice(0, at) + removed + text.slice(at + inserted.length)
}

/**
 * The text without an entry after others have changed it: as it would be if the edit had never been, where what was
 * inserted still stands in it once, and else without the entry alone.
 */
export function takeOut(
  format: SettingsFormat,
  text: string,
  { path, edit }: { path: EntryPath; edit: TextEdit },
): string {
  const [before = '', after, ...more] = edit.inserted === '' ? [] : text.split(edit.inserted)
  if (after !== undefined && more.length === 0 && edit.removed === '') {
    const undone = before + after
    if (saysWithout(format, { text, undone, path })) return undone
  }
  return dropEntry(format, text, path)
}

/** What has nothing in it any more may go with it. */
function saysWithout(
  format: SettingsFormat,
  { text, undone, path }: { text: string; undone: string; path: EntryPath },
): boolean {
  try {
    const expected = withoutEntry(format.parse(bare(text)), path)
    const said = format.parse(bare(undone))
    return isSame(said, expected) || isSame(said, withoutEmpty(expected, path.slice(0, -1)))
  } catch {
    return false // It says nothing that could be read.
  }
}

function says(format: SettingsFormat, text: string, expected: JsonObject): boolean {
  try {
    return isSame(format.parse(text), expected)
  } catch (error) {
    if (error instanceof UnreadableText) return false
    throw error
  }
}

function tooTight(text: string): UnreadableText {
  return new UnreadableText('it cannot be changed without changing something else', text, 0)
}

/** Objects without prototypes, and what has no value, are as good as others. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
}

function entryIn(settings: JsonObject, path: EntryPath): JsonObject | undefined {
  const found = valueIn(settings, path)
  return isObject(found) ? found : undefined
}

function valueIn(settings: JsonObject, path: EntryPath): unknown {
  let found: unknown = settings
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

function withEntry(settings: unknown, [name = '', ...rest]: EntryPath, value: JsonObject): JsonObject {
  const own = isObject(settings) ? settings : {}
  return { ...own, [name]: rest.length === 0 ? value : withEntry(own[name], rest, value) }
}

function withoutEntry(settings: unknown, [name = '', ...rest]: EntryPath): JsonObject {
  const { [name]: found, ...others } = isObject(settings) ? settings : {}
  return rest.length === 0 ? others : { ...others, [name]: withoutEntry(found, rest) }
}

/** Without what has nothing in it any more. */
function withoutEmpty(settings: JsonObject, path: EntryPath): JsonObject {
  const found = entryIn(settings, path)
  if (path.length === 0 || found === undefined || Object.keys(found).length > 0) return settings
  return withoutEmpty(withoutEntry(settings, path), path.slice(0, -1))
}

/** Some editors begin a file with a mark, which stays and is nothing to read. */
const mark = (text: string) => (text.startsWith('\uFEFF') ? '\uFEFF' : '')
const bare = (text: string) => text.slice(mark(text).length)
