import type { OfferedTool } from '../catalogue/tool.ts'
import type { Call } from '../definitions/authors.ts'
import { Needs } from './needs.ts'

/** Runs a tool as soon as it has nothing more to ask first. */
export function askFirst({ ask, run }: Pick<OfferedTool, 'ask' | 'run'>, args: unknown, call: Call): unknown {
  const goOn = (asked: unknown) => (asked instanceof Needs ? asked : run(args, call))
  const asked = ask?.(args, call)
  return asked instanceof Promise ? asked.then(goOn) : goOn(asked)
}
