import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { McpClient } from '../setup/mcp-client.ts'
import type { ProcessOptions } from '../setup/process.ts'

export const SCRIPT = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'bossman.js')

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

/** Starts bossman as hosts do, and shakes hands. It ends with the test. */
export async function startBossman(options: ProcessOptions): Promise<McpClient> {
  const client = new McpClient(SCRIPT, options)
  onTestFinished(() => client.kill())
  await client.sendRequest('initialize', HELLO)
  client.sendNotification('notifications/initialized')
  return client
}

/** The text of a tool's result, after `refused: ` when it is an error. */
export async function say(client: McpClient, name: string, args: JsonObject = {}): Promise<string> {
  const { result } = await client.sendRequest('tools/call', { name, arguments: args })
  const { content, isError } = result as { content: readonly { text: string }[]; isError: boolean }
  return `${isError ? 'refused: ' : ''}${content[0]?.text}`
}
