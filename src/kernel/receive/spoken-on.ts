import type { Link } from '../calls/link.ts'
import type { Revision } from '../revisions/revision.ts'

/** Until a client has said what it speaks, a server that has a revision of its own takes it for that. */
export function spokenOn({ spoken, server }: Link): Revision | undefined {
  return spoken ?? server.revisions[0]
}
