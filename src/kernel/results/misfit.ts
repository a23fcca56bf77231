import type { Call } from '../calls/call.ts'
import type { OfferedTool } from '../catalogue/tool.ts'
import { Fault } from '../faults.ts'
import { type Problem, printProblems } from '../ports/validator.ts'

/** A result that its own output schema refuses is a mistake of the author's, who reads the log. */
export function misfit(tool: OfferedTool, problems: readonly Problem[], call: Call): Fault {
  const all = printProblems(problems)
  const fault = new Fault(
    'internalError',
    `Tool ${tool.key} gave a result that does not fit its outputSchema: ${all}`,
  )
  const logged = printProblems(problems.map(withoutValue))
  call.crashed(new Error(`${fault.message.slice(0, -all.length)}${logged}`))
  return fault
}

/** How validators go on to say what they got: ours, zod and valibot, arktype. */
const WHAT_CAME = /(?:, got|,? (?:but )?received| \(was) .*/s

/** Logs tell nothing of what results have in them. */
function withoutValue({ path, message }: Problem): Problem {
  return { path, message: message.replace(WHAT_CAME, '') }
}
