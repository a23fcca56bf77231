import type { TurnedAwayRecord } from './records.ts'

/** So many lines a minute are said of requests that are turned away with one status. */
const MOST = 10
const MINUTE = 60_000

interface Window {
  readonly since: number
  said: number
  unsaid: number
}

/** Lets through what a reader can follow: a flood of requests must not become a flood of lines. */
export function createCalm(): (record: TurnedAwayRecord) => TurnedAwayRecord | undefined {
  const windows = new Map<number, Window>()
  return (record) => {
    const { status, time } = record
    const last = windows.get(status)
    if (last === undefined || time - last.since >= MINUTE) {
      windows.set(status, { since: time, said: 1, unsaid: 0 })
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
