import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { editBetween } from './edit.ts'
import {
  alone,
  type FileHistory,
  type InstallRecord,
  keepBackup,
  readJournal,
  writeHistory,
} from './journal.ts'
import type { Planned } from './plan.ts'
import { hashOf, missingFolders, writeSettings } from './settings-file.ts'

const NOTHING: FileHistory = { hash: '', records: [] }

/** Writes down what undoes a plan, and then what was planned: whatever ends it in between, it can be taken out. Gives the path of a copy of what was there. */
export function apply(plan: Planned): Promise<string | undefined> {
  return alone(() => applyAlone(plan))
}

async function applyAlone(plan: Planned): Promise<string | undefined> {
  const { settings, before, after, host, file, path, replaced } = plan
  const { real } = settings
  const history = readJournal()[real] ?? NOTHING
  const isNew = settings.text === undefined
  const backup = isNew ? undefined : await keepBackup(real, before)
  const made = isNew ? missingFolders(dirname(real)) : undefined
  const record = {
    ...{ name: path.at(-1) ?? '', hosts: [host.id], file: file.path, format: file.format, path },
    ...{ edit: editBetween(before, after), replaced, backup, made },
  }
  await writeHistory(real, { hash: hashOf(after), records: [...knownOf(history, plan), record] })
  try {
    writeSettings(settings, after)
  } catch (error) {
    await writeHistory(real, history)
    throw error
  }
  return backup
}

/** What others have changed meanwhile cannot be undone step by step any more, and what they have taken out is gone. */
function knownOf({ hash, records }: FileHistory, { before, path, replaced }: Planned) {
  if (hash === hashOf(before)) return records
  const isGone = (one: InstallRecord) => replaced === undefined && isDeepStrictEqual(one.path, path)
  return records.filter((one) => !isGone(one)).map((one) => ({ ...one, edit: undefined }))
}

/** Writes down that one more host has what stands in a file already, where we have put it there. */
export async function share({ settings: { real }, path, host }: Planned): Promise<void> {
  const history = readJournal()[real]
  const name = path.at(-1)
  const isMissing = (record: InstallRecord) => record.name === name && !record.hosts.includes(host.id)
  if (history === undefined || !history.records.some(isMissing)) return
  const records = history.records.map((one) =>
    isMissing(one) ? { ...one, hosts: [...one.hosts, host.id] } : one,
  )
  await writeHistory(real, { ...history, records })
}
