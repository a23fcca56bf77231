import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  CAPABILITIES,
  CLIENT_INFO,
  type Command,
  type Host,
  JOKE,
  Notices,
  type Person,
  ROOTS,
} from './sdk-host.ts'

/** Where there is no logging/setLevel, each request says which log notices it wants. */
const LOG_LEVEL = { 'io.modelcontextprotocol/logLevel': 'info' }

/** The client of the official SDK's second generation, on a server of its own. */
export async function openV2(command: Command, person: Person, mode: VersionNegotiationMode): Promise<Host> {
  const client = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode },
  })
  const notices = new Notices()
  client.fallbackNotificationHandler = async (notice) => notices.hear(notice)
  client.setRequestHandler('elicitation/create', person)
  client.setRequestHandler('sampling/createMessage', () => JOKE)
  client.setRequestHandler('roots/list', () => ROOTS)
  const transport = new StdioClientTransport({ ...command, stderr: 'ignore' })
  await client.connect(transport)
  const modern = client.getProtocolEra() === 'modern'
  const said = modern ? { _meta: LOG_LEVEL } : {}
  const pid = transport.pid
  return {
    revision: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    pid,
    // Its cache would answer for the server otherwise.
    listTools: () => client.listTools({}, { cacheMode: 'refresh' }),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    listPrompts: () => client.listPrompts(),
    callTool: (name, args = {}, options = {}) => client.callTool({ name, arguments: args, ...said }, options),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (ref, argument) => client.complete({ ref, argument }),
    subscribe: async (uri) => {
      if (modern) {
        const listening = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
        return { closed: listening.closed, end: () => listening.close() }
      }
      await client.subscribeResource({ uri })
      return {
        closed: new Promise(() => {}),
        end: async () => {
          await client.unsubscribeResource({ uri })
        },
      }
    },
    hears: (method) => notices.next(method),
    close: () => client.close(),
  }
}
