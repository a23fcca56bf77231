import { rmSync } from 'node:fs'
import { dropEntry, editBetween, findEntry, putEntry, takeOut, undoEdit } from './edit.ts'
import type { SettingsFormat } from './formats/format.ts'
import { FORMATS } from './formats/index.ts'
import { alone, type FileHistory, type InstallRecord, writeHistory } from './journal.ts'
import {
  checkWritable,
  hashOf,
  readSettings,
  removeSettings,
  type SettingsFile,
  writeSettings,
} from './settings-file.ts'

/** What becomes of a file when what was installed into it under a name is taken out again. */
export interface Undoing {
  readonly settings: SettingsFile
  readonly name: string
  readonly before: string
  /** Undefined where the file goes, since it was made for this. */
  readonly after: string | undefined
  /** Whether it is as it was, byte for byte, or only the entry is taken out of what others have changed. */
  readonly exact: boolean
  readonly taken: readonly InstallRecord[]
  readonly left: readonly InstallRecord[]
}

/** Throws an UnreadableText or a FileTrouble where the file is to be left alone. */
export async function planUndo(real: string, history: FileHistory, name: string): Promise<Undoing> {
  const settings = readSettings(real)
  const before = settings.text ?? ''
  const taken = history.records.filter((record) => record.name === name)
  const base = { settings, name, before, taken }
  const format = await FORMATS[taken[0]?.format ?? 'json']()
  const left = history.records.filter((record) => record.name !== name)
  if (settings.text === undefined) return { ...base, after: undefined, exact: false, left: [] }
  checkWritable(settings)
  const first = history.records.indexOf(taken[0] as InstallRecord) // There is one, or nobody would ask.
  const undone = history.records.slice(first)
  const exact = hashOf(before) === history.hash && undone.every(({ edit }) => edit !== undefined)
  if (exact) return { ...base, exact, ...rewind(format, before, { undone, left, name }) }
  const stale = left.map((record) => ({ ...record, edit: undefined }))
  return { ...base, exact, after: takeAllOut(format, before, taken), left: stale }
}

interface Rewinding {
  readonly undone: readonly InstallRecord[]
  readonly left: readonly InstallRecord[]
  readonly name: string
}

/** Undoes everything since, and does again what is to stay. */
function rewind(
  format: SettingsFormat,
  text: string,
  { undone, left, name }: Rewinding,
): Pick<Undoing, 'after' | 'left'> {
  let base = text
  const values = new Map<InstallRecord, ReturnType<typeof findEntry>>()
  for (const record of undone.toReversed()) {
    values.set(record, findEntry(format, base, record.path))
    if (record.edit !== undefined) base = undoEdit(base, record.edit)
  }
  let made = undone[0]?.made
  const again: InstallRecord[] = []
  for (const record of undone.filter((one) => one.name !== name)) {
    const value = values.get(record)
    if (value === undefined) continue
    const next = putEntry(format, base, { path: record.path, value })
    again.push({ ...record, edit: editBetween(base, next), made: record.made ?? made })
    made = undefined
    base = next
  }
  const kept = left.filter((record) => !undone.includes(record))
  const isGone = made !== undefined && again.length === 0
  return { after: isGone ? undefined : base, left: [...kept, ...again] }
}

/** The newest first: what it replaced may be ours as well. */
function takeAllOut(format: SettingsFormat, text: string, taken: readonly InstallRecord[]): string {
  const { path = [], replaced, edit } = taken[0] ?? {}
  if (findEntry(format, text, path) === undefined) return text
  if (replaced !== undefined) return putEntry(format, text, { path, value: replaced })
  return taken.length > 1 || edit === undefined
    ? dropEntry(format, text, path)
    : takeOut(format, text, { path, edit })
}

/** Does it, and forgets about it. */
export function undo(undoing: Undoing): Promise<void> {
  return alone(() => undoAlone(undoing))
}

async function undoAlone({ settings, before, after, taken, left }: Undoing): Promise<void> {
  const { real, text } = settings
  if (after === undefined)
    removeSettings(
      settings,
      taken.flatMap(({ made }) => made ?? []),
    )
  else if (after !== before) writeSettings({ real, text }, after)
  await writeHistory(real, { hash: hashOf(after ?? ''), records: left })
  for (const { backup } of taken) if (backup !== undefined) rmSync(backup, { force: true })
}
