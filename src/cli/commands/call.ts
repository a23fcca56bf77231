import { type CallToolResult, ErrorReply, type Tool } from '../../client/index.ts'
import { isObject, type JsonObject, MISSING } from '../../kernel/index.ts'
import { fitArguments, readArguments, readWhole } from '../client/arguments.ts'
import type { ClientCommand, Talk } from '../client/command.ts'
import { printResult } from '../client/content.ts'
import { listFrom, unknownName } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'

/** Calls a tool, and prints what it answers. */
export const call: ClientCommand = {
  name: 'call',
  summary: 'calls a tool of any MCP server',
  words: 'TOOL [name=value | name:=JSON | name=@file …]',
  example: 'perigee call add a=2 b=40 -- npx -y some-server',
  settings: {
    args: { placeholder: 'JSON', description: 'the arguments as one object, or @file, or @- for stdin' },
  },
  prepare({ words: [name, ...words], flags }) {
    if (name === undefined || name.includes('='))
      throw new UsageError('which tool? Expected perigee call TOOL [name=value …]; perigee tools lists them')
    const given = readArguments(words)
    const whole = readWhole(flags['args'] as string | undefined) // As its kind says.
    return async (talk: Talk) => {
      const { client, output, options } = talk
      const listed = await listFrom('tools', talk, { wanted: name })
      const tool = listed.find((one) => one.name === name)
      const args = fitArguments(given, whole, tool?.inputSchema ?? {})
      talk.awaits(`tools/call ${name}`)
      const result = await (tool === undefined
        ? callUnlisted({ name, args, listed }, talk)
        : client.callTool(name, args, options))
      tell(name, result, output)
    }
  },
}

interface UnlistedCall {
  readonly name: string
  readonly args: JsonObject
  readonly listed: readonly Tool[]
}

/** A server may know why a tool is not on its list, such as a gateway of one that has changed. */
async function callUnlisted({ name, args, listed }: UnlistedCall, talk: Talk): Promise<CallToolResult> {
  const { client, options } = talk
  const unknown = unknownName('tool', name, listed)
  if (!('tools' in client.capabilities)) throw unknown
  const result = await client.callTool(name, args, options).catch((error: unknown) => {
    throw error instanceof ErrorReply ? unknown : error
  })
  if (result.isError === true && !(isObject(result._meta) && MISSING in result._meta)) throw unknown
  return result
}

function tell(name: string, result: CallToolResult, output: Talk['output']): void {
  if (output.json) output.sayJson(result)
  if (result.isError === true)
    throw new CommandError(
      EXIT_CODES.failed.code,
      output.json ? '' : `${name} failed: ${oneLine(printResult(result), 2000)}`,
    )
  if (!output.json) output.say(printResult(result))
}
