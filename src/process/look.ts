import { type Stats, statSync } from 'node:fs'

/** What is at a path; undefined where nothing is that can be looked at, also since what stands before it is no folder. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
