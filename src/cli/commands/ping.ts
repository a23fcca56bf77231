import type { ClientCommand } from '../client/command.ts'
import { oneLine } from '../client/printable.ts'
import { UsageError } from '../usage-error.ts'

/** Asks a server whether it is there. */
export const ping: ClientCommand = {
  name: 'ping',
  summary: 'asks any MCP server whether it is there, what it is and how fast it answers',
  words: '',
  example: 'perigee ping --url https://mcp.example.com/mcp',
  settings: {},
  prepare({ words }) {
    if (words.length > 0) throw new UsageError(`expected no more words, got ${words.join(' ')}`)
    return async ({ client, output, options, serverName, awaits }) => {
      const { revision, server, capabilities, instructions } = client
      const method = revision.requests.includes('ping') ? 'ping' : 'server/discover'
      awaits(method)
      const begun = performance.now()
      await client.request(method, {}, options)
      const ms = Math.round((performance.now() - begun) * 100) / 100
      if (output.json)
        return output.sayJson({ server, revision: revision.id, ms, capabilities, instructions })
      const version = server?.version === undefined ? '' : ` ${oneLine(String(server.version), 50)}`
      output.say(`${oneLine(serverName, 100)}${version} answers in ${ms} ms, speaking ${revision.id}`)
      output.say(`It has ${Object.keys(capabilities).join(', ') || 'nothing to offer'}`)
    }
  },
}
