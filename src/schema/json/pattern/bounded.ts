import { effort, Overrun } from '../effort.ts'
import { compilePattern, countProperties } from './index.ts'

/** A regular expression that takes no longer than it may, whatever it is and whatever it is held against. */
export interface BoundedPattern {
  /** Whether a text has it somewhere; undefined where finding out would take more than `steps`. */
  finds(text: string, steps: number): boolean | undefined
}

/** More than anybody writes by hand: reading an expression takes time as well. */
const [MOST_LETTERS, MOST_PROPERTIES] = [1000, 20]

/** Undefined where the source is no expression that JSON Schema knows, or a very long one. */
export function boundPattern(source: string): BoundedPattern | undefined {
  if (source.length > MOST_LETTERS || countProperties(source) > MOST_PROPERTIES) return undefined
  const matches = compilePattern(source)
  if (matches === undefined) return undefined
  return {
    finds(text, steps) {
      Object.assign(effort, { allowed: steps, left: steps, depth: 0, tries: 0 })
      try {
        return matches(text)
      } catch (error) {
        if (error instanceof Overrun) return undefined
        throw error
      }
    },
  }
}
