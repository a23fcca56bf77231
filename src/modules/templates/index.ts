import { defineModule, defineTool, type Module } from '../../authoring/define.ts'
import type { ToolDefinition } from '../../kernel/index.ts'
import { fill, placeholders } from './template.ts'

const SCOPE = 'templates'

/** Tools made at run time live in memory, so there is an end to them. */
const MAX_TOOLS = 1000

/** Lets a client make tools out of templates, and remove those again. */
export function templates(): Module {
  const made = new Set<string>()

  const register = defineTool({
    name: 'register_tool',
    description: 'Make a new tool from a template; each {placeholder} becomes a required string argument',
    input: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the new tool' },
        description: { type: 'string', description: 'What the new tool does' },
        template: { type: 'string', description: 'Text with {placeholders}, for example "Dear {name}"' },
      },
      required: ['name', 'description', 'template'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    scopes: [SCOPE],
    run: (wanted, call) => {
      if (made.size >= MAX_TOOLS)
        throw new Error(`There are ${MAX_TOOLS} registered tools already: remove one first`)
      call.server.tools.add(toolFrom(wanted))
      made.add(wanted.name)
      return `Registered tool: ${wanted.name}`
    },
  })

  const unregister = defineTool({
    name: 'unregister_tool',
    description: 'Remove a tool that was made with register_tool',
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the tool to remove' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    scopes: [SCOPE],
    run: ({ name }, call) => {
      if (!made.has(name)) throw new Error(whyNot(name, call.server.tools.has(name)))
      made.delete(name)
      call.server.tools.remove(name)
      return `Unregistered tool: ${name}`
    },
  })

  return defineModule({ name: 'templates', tools: [register, unregister] })
}

interface Wanted {
  readonly name: string
  readonly description: string
  readonly template: string
}

function toolFrom({ name, description, template }: Wanted): ToolDefinition {
  const names = placeholders(template)
  return defineTool({
    name,
    description,
    input: {
      type: 'object',
      properties: Object.fromEntries(
        names.map((one) => [one, { type: 'string', description: `Fills in {${one}}` }]),
      ),
      required: names,
    },
    scopes: [SCOPE],
    run: (values: { readonly [name: string]: unknown }) => fill(template, values),
  })
}

function whyNot(name: string, builtIn: boolean): string {
  return builtIn ? `${name} is built in and cannot be unregistered` : `There is no tool ${name} to unregister`
}
