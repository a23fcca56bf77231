import { editBetween } from './edit.ts'
import { type InstallRecord, keepBackup, readJournal, writeHistory } from './journal.ts'
import type { Planned } from './plan.ts'
import { hashOf, writeSettings } from './settings-file.ts'

/** Writes what was planned, and writes down what undoes it; gives the path of a copy of what was there. */
export async function apply(plan: Planned): Promise<string | undefined> {
  const { settings, before, after, host, file, path, replaced } = plan
  const { real } = settings
  const isNew = settings.text === undefined
  const backup = isNew ? undefined : await keepBackup(real, before)
  const folders = writeSettings(settings, after)
  const history = readJournal()[real]
  const isKnown = history !== undefined && history.hash === hashOf(before)
  // What others have changed meanwhile cannot be undone step by step any more.
  const known = (history?.records ?? []).map((one) => (isKnown ? one : { ...one, edit: undefined }))
  const record = {
    ...{ name: path.at(-1) ?? '', hosts: [host.id], file: file.path, format: file.format, path },
    ...{ edit: editBetween(before, after), replaced, backup, made: isNew ? folders : undefined },
  }
  await writeHistory(real, { hash: hashOf(after), records: [...known, record] })
  return backup
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
