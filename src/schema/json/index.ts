import type { Problem } from '../../kernel/index.ts'
import { Problems } from '../problems.ts'
import { Documents, type DocumentsOptions } from './documents.ts'
import { effort, LESS_WORK, Overrun } from './effort.ts'
import { refuseEndless } from './endless.ts'
import { forgetListed, listed } from './keys.ts'
import { Program } from './program.ts'
import type { Rule } from './rule.ts'

export { stepsTaken } from './effort.ts'

/** Where what is here is read when it is first needed, it has been read after this. */
export function prepare(): void {}

export interface CompileOptions extends DocumentsOptions {
  /** How many references and members one check may look at. */
  readonly maxSteps: number
}

export interface Compiled {
  /** How many parts the schema has, with all that it refers to. */
  readonly parts: number
  /** Whether a value fits, and no more. Throws an Overrun where that would take too much. */
  fits(value: unknown): boolean
  /** What is wrong with a value; undefined when it fits. */
  check(value: unknown): readonly Problem[] | undefined
}

/** Makes functions of a schema. Throws a TypeError that names the place of what cannot be used. */
export function compile(schema: unknown, options: CompileOptions): Compiled {
  const documents = new Documents(schema, options)
  refuseEndless(documents)
  const { root, scope } = new Program(documents)
  const fits = (value: unknown) => {
    effort.allowed = options.maxSteps
    effort.left = options.maxSteps
    effort.depth = 0
    effort.tries = 0
    if (scope.entered) scope.clear()
    if (listed.value !== undefined) forgetListed()
    return root.check(value)
  }
  return {
    parts: documents.size.parts,
    fits,
    check(value) {
      try {
        return fits(value) ? undefined : explain(root, value)
      } catch (error) {
        return [{ path: '', message: `expected ${tooMuch(error)}` }]
      } finally {
        if (listed.value !== undefined) forgetListed()
      }
    },
  }
}

function explain(rule: Rule, value: unknown): readonly Problem[] {
  const problems = new Problems()
  rule.explain(value, '', problems)
  return problems.list
}

function tooMuch(error: unknown): string {
  if (error instanceof Overrun) return error.message
  if (error instanceof RangeError) return LESS_WORK // The stack is at its end.
  throw error
}
