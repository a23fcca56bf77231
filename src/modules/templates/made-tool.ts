import { defineTool } from '../../authoring/define.ts'
import {
  type BudgetName,
  type JsonObject,
  overBudget,
  type AuthorServer as Server,
  type ToolDefinition,
} from '../../kernel/index.ts'
import { fill, filledLength, type Placeholder, placeholders } from './template.ts'

/** A tool as a caller asks for it. */
export interface WantedTool {
  readonly name: string
  readonly description: string
  readonly template: string
}

/** Throws an Error that says what is too large. */
export function checkWanted({ description, template }: WantedTool, server: Server): void {
  check(['description', 'maxTemplateDescriptionBytes', Buffer.byteLength(description)], server)
  check(['template', 'maxTemplateBytes', Buffer.byteLength(template)], server)
  const { length } = placeholders(template) // Only now: of a long one there may be thousands.
  check(['template: placeholders of different names', 'maxTemplatePlaceholders', length], server)
}

function check([what, name, used]: readonly [string, BudgetName, number], server: Server): void {
  const wrong = overBudget(server, name, used)
  if (wrong !== undefined) throw new Error(`${what}: expected ${wrong}`)
  server.usage.saw(name, used)
}

export function toolFrom(
  { name, description, template }: WantedTool,
  scopes: readonly string[],
): ToolDefinition {
  const found = placeholders(template)
  return defineTool({
    name,
    description,
    input: {
      type: 'object',
      properties: Object.fromEntries(found.map((one) => [one.name, describePlaceholder(one)])),
      required: found.filter(({ fallback }) => fallback === undefined).map(({ name }) => name),
    },
    scopes,
    run: (values: { readonly [name: string]: unknown }, { server }) => {
      // A placeholder may stand in a template thousands of times, and its value be a megabyte.
      check(['The text would be too long', 'maxTemplateTextBytes', filledLength(template, values)], server)
      return fill(template, values)
    },
  })
}

function describePlaceholder({ name, fallback }: Placeholder): JsonObject {
  const described = { type: 'string', description: `Fills in {${name}}` }
  return fallback === undefined ? described : { ...described, default: fallback }
}

/** What a tool takes in lists and in memory, more or less. */
export function printedBytes({ name, description, input }: ToolDefinition, { template }: WantedTool): number {
  return Buffer.byteLength(JSON.stringify({ name, description, input, template }))
}
