import type { Server } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'

export interface Door {
  readonly url: string
  /** The header that carries a key, and how to fill it in; undefined where no key is needed. */
  readonly header: { readonly name: string; readonly value: string } | undefined
}

/** What somebody who has just started a server wants to know: where it is, what it has, how to plug it in. */
export function welcome({ name }: ReadyServer, server: Server, { url, header }: Door): string {
  const headers = header === undefined ? undefined : { [header.name]: header.value }
  const entry = { url, ...(headers && { headers }) }
  const claude = header === undefined ? '' : ` --header "${header.name}: ${header.value}"`
  return [
    `${name} is listening at ${url}`,
    '',
    offered('tools', server.tools),
    offered('resources', server.resources),
    offered('prompts', server.prompts),
    '',
    `Claude Code   claude mcp add --transport http ${name} ${url}${claude}`,
    `VS Code       code --add-mcp '${JSON.stringify({ name, type: 'http', ...entry })}'`,
    `Cursor        .cursor/mcp.json: ${JSON.stringify({ mcpServers: { [name]: entry } })}`,
    `crush         crush.json: ${JSON.stringify({ mcp: { [name]: { type: 'http', ...entry } } })}`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

function offered(noun: string, items: Iterable<{ readonly key: string }>): string {
  const keys = [...items].map((item) => item.key)
  return `${String(keys.length).padStart(3)} ${noun.padEnd(10)}${keys.join(', ')}`
}

/** Somebody typed the command by hand; to them a silent server looks broken. */
export function greet({ name }: ReadyServer): string {
  return [
    `${name} speaks MCP on stdin and stdout, one JSON message a line; Ctrl-D ends it.`,
    `To use it from Claude Code: claude mcp add ${name} -- npx -y -p perigee ${name}`,
    '',
  ].join('\n')
}
