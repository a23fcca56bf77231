import type { Tool } from '../../client/index.ts'
import { isObject } from '../../kernel/index.ts'
import type { ClientCommand } from '../client/command.ts'
import { find, listFrom } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { printType } from '../client/schema-facts.ts'
import { UsageError } from '../usage-error.ts'

/** Lists tools, or shows one. */
export const tools: ClientCommand = {
  name: 'tools',
  summary: 'lists the tools of any MCP server, or shows one of them',
  words: '[TOOL]',
  example: 'perigee tools --url https://mcp.example.com/mcp',
  settings: {},
  prepare({ words: [name, ...more] }) {
    if (more.length > 0) throw new UsageError(`expected one tool at most, got ${[name, ...more].join(', ')}`)
    return async (talk) => {
      const { output, serverName } = talk
      const list = await listFrom('tools', talk, { wanted: name })
      if (name !== undefined) {
        const tool = find('tool', name, list)
        return output.json ? output.sayJson(tool) : output.say(printTool(tool))
      }
      if (output.json) return output.sayJson(list)
      if (list.length === 0) return output.note(`${serverName} has no tools`)
      output.say(list.map((tool) => `${printSignature(tool)}\n  ${firstLine(tool)}`).join('\n'))
    }
  },
}

function printSignature({ name, inputSchema }: Tool): string {
  const args = argumentsOf(inputSchema).map(
    ({ name: arg, type, isNeeded }) => `${arg}${isNeeded ? '' : '?'}: ${type}`,
  )
  return oneLine(`${name}(${args.join(', ')})`, 300)
}

function firstLine({ description = '' }: Tool): string {
  return oneLine(description.trim().split('\n')[0] ?? '', 200) || '(it does not say what it does)'
}

/** Everything that it says of itself. */
function printTool(tool: Tool): string {
  const args = argumentsOf(tool.inputSchema)
  const rows = args.map(
    ({ name, type, isNeeded, description }) =>
      `  ${name}: ${type}${isNeeded ? '' : ', optional'}${description}`,
  )
  const hints = Object.entries(tool.annotations ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
  return [
    printSignature(tool),
    '',
    tool.description?.trim() || '(it does not say what it does)',
    ...(rows.length === 0 ? [] : ['', 'Arguments:', ...rows]),
    ...(hints.length === 0 ? [] : ['', `It says of itself: ${hints.join(', ')}`]),
  ].join('\n')
}

function argumentsOf(schema: Tool['inputSchema']) {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const needed = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).map(([name, part]) => ({
    name,
    type: printType(part, schema),
    isNeeded: needed.includes(name),
    description:
      isObject(part) && typeof part['description'] === 'string' ? ` (${oneLine(part['description'])})` : '',
  }))
}
