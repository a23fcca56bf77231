import { resultBudget } from '../check/common.ts'
import { anything, callable, flag, type Members, membersOf, oneOf, text } from '../check/members.ts'
import type { Call } from '../definitions/authors.ts'
import type { TasksElsewhere } from '../definitions/relayed.ts'
import type { ResultBudget, ToolAnnotations, ToolDefinition } from '../definitions/tool.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Shape, Validator } from '../ports/validator.ts'
import { Mistake } from '../words/mistake.ts'
import { checkDefinition, type Grammar, OFFERED, present } from './definition.ts'
import type { HeaderArgument } from './header-annotations.ts'
import { headerArguments } from './header-arguments.ts'
import type { Offer } from './shelf.ts'

export interface OfferedTool extends Offer {
  readonly input: Shape
  readonly output: Shape | undefined
  /** The arguments that HTTP clients repeat in headers. */
  readonly headers: readonly HeaderArgument[]
  readonly task: 'optional' | 'required' | 'maybe' | undefined
  /** How its calls become tasks of another server, where that is whose it is. */
  readonly tasks: TasksElsewhere | undefined
  /** Whether it may be run again after an interruption. */
  readonly repeatable: boolean
  /** Whether another server answers, whose results are told as they are. */
  readonly relayed: boolean
  /** Whether it stays on the list where others are hidden behind a search. */
  readonly always: boolean
  /** What its results are held to, where that is not what the server says. */
  readonly budget: ResultBudget | undefined
  /** What its module or its own server is about. */
  readonly about?: string | undefined
  /** Gives questions as long as there are some that come before all else. */
  readonly ask: ((args: unknown, call: Call) => unknown) | undefined
  run(args: unknown, call: Call): unknown
}

const HINTS: Members<ToolAnnotations> = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
}

const MEMBERS: Members<ToolDefinition> = {
  ...OFFERED,
  input: anything,
  output: anything,
  annotations: membersOf({ ...HINTS }),
  task: oneOf('optional', 'required'),
  offer: oneOf('always'),
  budget: resultBudget,
  ask: callable,
  run: callable,
}

const TOOL: Grammar = {
  noun: 'tool',
  key: 'name',
  action: 'run',
  members: MEMBERS,
  meant: {
    inputSchema: 'input',
    parameters: 'input',
    params: 'input',
    paramsSchema: 'input',
    schema: 'input',
    args: 'input',
    arguments: 'input',
    outputSchema: 'output',
    handler: 'run',
    execute: 'run',
    callback: 'run',
    call: 'run',
    execution: "Whether it may go on as a task is said by task: 'optional' or task: 'required'.",
  },
}

/** A tool without parameters takes none. */
const NO_PARAMETERS = { type: 'object', additionalProperties: false }

export function prepareTool(definition: ToolDefinition, validator: Validator): OfferedTool {
  const name = checkDefinition(definition, TOOL)
  const input = shapeOf(definition, 'input', validator)
  if (input.schema['type'] !== 'object') {
    throw new Mistake(`Tool ${name}: its input must be a schema of an object, with type "object" at its root`)
  }
  const output = definition.output === undefined ? undefined : shapeOf(definition, 'output', validator)
  return {
    key: name,
    scopes: definition.scopes ?? [],
    listed: listedTool(definition, input, output),
    input,
    output,
    headers: headerArguments(name, input.schema),
    task: definition.task,
    tasks: undefined,
    repeatable: definition.annotations?.idempotentHint === true,
    relayed: false,
    always: definition.offer === 'always',
    budget: definition.budget,
    ask: definition.ask?.bind(definition) as OfferedTool['ask'], // And so have they here.
    run: definition.run.bind(definition) as OfferedTool['run'], // The arguments have been read with `input`.
  }
}

/** The whole of it, with what stands before it where its module was mounted. What others call theirs is their business. */
export function checkName(tool: OfferedTool, taken: readonly string[]): OfferedTool {
  if (tool.always && taken.includes(tool.key))
    throw new Mistake(
      `Tool ${tool.key}: with this server's offer there is a ${tool.key} on the list already. Call it something else, or leave out offer: 'always'`,
    )
  if (tool.relayed || /^[A-Za-z0-9_.-]{1,128}$/.test(tool.key)) return tool
  throw new Mistake(`Tool name ${JSON.stringify(tool.key)}: use 1 to 128 of A-Z a-z 0-9 _ - .`)
}

function listedTool(definition: ToolDefinition, input: Shape, output: Shape | undefined): JsonObject {
  const { name, title, description, annotations, icons, task, _meta } = definition
  return present({
    name,
    title,
    description,
    inputSchema: input.schema,
    outputSchema: output?.schema,
    annotations,
    icons,
    execution: task === undefined ? undefined : { taskSupport: task },
    _meta,
  })
}

function shapeOf(tool: ToolDefinition, use: 'input' | 'output', validator: Validator): Shape {
  try {
    return validator.shape(tool[use] ?? NO_PARAMETERS, use)
  } catch (error) {
    throw new Mistake(`Tool ${tool.name}: its ${use} schema is not usable: ${(error as Error).message}`)
  }
}
