import type { TurnedAwayRecord, UnreadableRecord } from '../records.ts'

/** What anybody who reaches the server can cause, as often as they like. */
type Floodable = TurnedAwayRecord | UnreadableRecord

/** So many lines a minute are said of what is turned away with one status, or cannot be read for one reason. */
const MOST = 10
const MINUTE = 60_000

interface Window {
  readonly since: number
  said: number
  unsaid: number
}

/** Lets through what a reader can follow: a flood of requests must not become a flood of lines. */
export function createFloodLimit(): <One extends Floodable>(record: One) => One | undefined {
  const windows = new Map<number, Window>()
  return (record) => {
    const { time } = record
    const reason = record.kind === 'turned-away' ? record.status : record.code
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
