import type { OfferedTool } from '../catalogue/tool.ts'
import { findString } from '../check/params.ts'
import type { Request } from '../jsonrpc/message.ts'
import type { Server } from './server.ts'

/** The tool that a request names: one of an owner's or of everybody's, or one that stands before them. */
export function findTool(
  { params, front }: Pick<Request, 'params' | 'front'>,
  server: Server,
  owner: string,
): OfferedTool | undefined {
  const name = findString(params, 'name') ?? ''
  return front === 'own' ? server.front?.find(name) : server.tools.find(name, owner)
}
