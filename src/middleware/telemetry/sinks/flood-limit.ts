import type { TelemetryRecord } from '../records.ts'

/** So many lines a minute are said of what is turned away with one status, cannot be read or is denied for one reason, or crashes at the door. */
const MOST = 10
const MINUTE = 60_000

interface Window {
  readonly since: number
  said: number
  unsaid: number
}

/** Lets through what a reader can follow: a flood of requests must not become a flood of lines. */
export function createFloodLimit(): <One extends TelemetryRecord>(record: One) => One | undefined {
  const windows = new Map<number | string, Window>()
  return (record) => {
    const { time } = record
    const reason = reasonOf(record)
    if (reason === undefined) return record
    const last = windows.get(reason)
    if (last === undefined || time - last.since >= MINUTE) {
      windows.set(reason, { since: time, said: 1, unsaid: 0 })
      return last === undefined || last.unsaid === 0 ? record : { ...record, unsaid: last.unsaid }
    }
    if (last.said < MOST) {
      last.said++
      return record
    }
    last.unsaid++
    return undefined
  }
}

/** Crashes that need nobody to be let in: of whoever finds out who calls, and of pages, whose paths others choose. */
const AT_THE_DOOR = /^(?:authenticate$|[A-Z-]+(?= ))/

/** As what it is counted, where anybody who reaches the server can cause it as often as they like. */
function reasonOf(record: TelemetryRecord): number | string | undefined {
  switch (record.kind) {
    case 'turned-away':
      return record.status
    case 'unreadable':
      return record.code
    case 'completed':
      return record.denied === undefined
        ? undefined
        : `denied ${record.outcome === 'error' ? record.code : ''}`
    case 'crashed':
      return AT_THE_DOOR.exec(record.method)?.[0]
    default:
      return undefined
  }
}
