import type { OfferedTool } from '../catalogue/tool.ts'
import type { Request } from '../jsonrpc/message.ts'
import type { Server } from './server.ts'

interface Asker {
  readonly server: Server
  readonly owner: string
  readonly front: Request['front']
}

/** The tool of a name: one of an owner's or of everybody's, or one that stands before them. */
export function findTool(name: string, { server, owner, front }: Asker): OfferedTool | undefined {
  return front === 'own' ? server.front?.find(name) : server.tools.find(name, owner)
}
