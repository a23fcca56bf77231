import { findingsOf, type HostFinding } from '../../context/fit/findings.ts'
import type { JsonObject } from '../../kernel/index.ts'
import type { ClientCommand } from '../client/command.ts'
import { listFrom } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'

/** Tells which hosts would refuse or lose something of the tools of a server. */
export const fit: ClientCommand = {
  name: 'fit',
  summary: 'tells what hosts would refuse or lose of the tools of any MCP server, and why',
  words: '[SERVER]',
  example: 'perigee fit ./server.ts',
  namesServer: true,
  settings: {},
  prepare({ words }) {
    if (words.length > 0) throw new UsageError(`expected one server, got also ${words.join(' ')}`)
    return async (talk) => {
      const { output, serverName } = talk
      const list = await listFrom('tools', talk)
      const findings = list.flatMap((tool) => findingsOf(tool as unknown as JsonObject)) // As it is listed.
      if (output.json) output.sayJson(findings)
      else if (findings.length > 0) output.say(linesOf(findings).join('\n'))
      else
        output.say(
          `Every host in the table takes the ${list.length} tools of ${oneLine(serverName, 100)} as they are`,
        )
      if (findings.length > 0)
        throw new CommandError(
          EXIT_CODES.failed.code,
          `${findings.length === 1 ? 'one thing' : `${findings.length} things`} would be refused or lost; Perigee's own servers mend them for these hosts, unless fit is off`,
        )
    }
  },
}

function linesOf(findings: readonly HostFinding[]): readonly string[] {
  return findings.map(
    ({ tool, host, at, what, because }) =>
      `${oneLine(tool, 100)}  ${host}  ${oneLine(at, 200)}: ${what} (${because})`,
  )
}
