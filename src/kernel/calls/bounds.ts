import type { OfferedTool } from '../catalogue/tool.ts'
import type { ResourceTemplateDefinition } from '../definitions/resource.ts'
import type { ResultBudget } from '../definitions/tool.ts'
import type { Result } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'

/** Whose result it is that is to leave. */
export interface ResultOf {
  readonly tool: OfferedTool
  readonly call: Call
}

/** The same, and what it is held to. */
export interface Bound extends ResultOf {
  readonly budget: ResultBudget
}

/** What holds results to their budgets. */
export interface ResultBounds {
  /** How clients read what was left out. */
  readonly template: ResourceTemplateDefinition
  bound(result: Result, given: Bound): Result | Promise<Result>
}
