import type { Json } from '../kernel/index.ts'

/** What is no JSON was written by somebody else, or only in part; whoever asked for it gets nothing that is theirs. */
export function parseKept(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
