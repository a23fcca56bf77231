import { defineTool } from '../../authoring/define.ts'
import type { JsonObject, AuthorServer as Server, ToolDefinition } from '../../kernel/index.ts'
import { fill, filledLength, type Placeholder, placeholders } from './template.ts'

/** A tool as a caller asks for it. */
export interface WantedTool {
  readonly name: string
  readonly description: string
  readonly template: string
}

/** Throws an Error that says what is too large. */
export function checkWanted({ description, template }: WantedTool, { budgets, usage }: Server): void {
  const checkSize = (
    noun: string,
    size: number,
    budget: 'maxTemplateBytes' | 'maxTemplateDescriptionBytes',
  ) => {
    if (size > budgets[budget]) {
      throw new Error(`${noun}: expected at most ${budgets[budget]} bytes, got ${size}`)
    }
    usage.saw(budget, size)
  }
  checkSize('description', Buffer.byteLength(description), 'maxTemplateDescriptionBytes')
  checkSize('template', Buffer.byteLength(template), 'maxTemplateBytes')
  const { length } = placeholders(template)
  if (length > budgets.maxTemplatePlaceholders) {
    throw new Error(
      `template: expected at most ${budgets.maxTemplatePlaceholders} placeholders of different names, got ${length}`,
    )
  }
  usage.saw('maxTemplatePlaceholders', length)
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
      const length = filledLength(template, values)
      const { maxTemplateTextBytes } = server.budgets
      if (length > maxTemplateTextBytes) {
        throw new Error(`The text would have ${length} characters, and the limit is ${maxTemplateTextBytes}`)
      }
      server.usage.saw('maxTemplateTextBytes', length)
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
