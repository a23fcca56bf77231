import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
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

const NEVER = new Promise<string>(() => {})

/** The client of the official SDK's first generation, on a server of its own. */
export async function openV1(command: Command, person: Person): Promise<Host> {
  const client = new Client(CLIENT_INFO, { capabilities: CAPABILITIES })
  const notices = new Notices()
  client.fallbackNotificationHandler = async (notice) => notices.hear(notice)
  client.setRequestHandler(ElicitRequestSchema, person)
  client.setRequestHandler(CreateMessageRequestSchema, () => JOKE)
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS)
  let revision: string | undefined
  const transport = new StdioClientTransport({ ...command, stderr: 'ignore' })
  // The client tells its transport what was agreed on, and nobody else.
  Object.assign(transport, { setProtocolVersion: (agreed: string) => (revision = agreed) })
  await client.connect(transport)
  const pid = transport.pid
  return {
    revision,
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    pid,
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    listTemplates: () => client.listResourceTemplates(),
    listPrompts: () => client.listPrompts(),
    callTool: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (ref, argument) => client.complete({ ref, argument }),
    subscribe: async (uri) => {
      await client.subscribeResource({ uri })
      return {
        closed: NEVER,
        end: async () => {
          await client.unsubscribeResource({ uri })
        },
      }
    },
    hears: (method) => notices.next(method),
    close: () => client.close(),
  }
}
