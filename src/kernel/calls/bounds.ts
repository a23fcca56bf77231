import type { OfferedTool } from '../catalogue/tool.ts'
import type { ResourceTemplateDefinition } from '../definitions/resource.ts'
import type { ResultBudget } from '../definitions/tool.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'

/** A result that is to leave, and what it is held to. */
export interface Bound {
  readonly tool: OfferedTool
  readonly call: Call
  readonly budget: ResultBudget
}

/** What holds results to their budgets. */
export interface ResultBounds {
  /** How clients read what was left out. */
  readonly template: ResourceTemplateDefinition
  bound(result: Result, given: Bound): Result | Promise<Result>
}
