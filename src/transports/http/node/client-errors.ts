import type { Server as NodeServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Server } from '../../../kernel/index.ts'
import { refusal } from '../answers.ts'
import type { Refusal } from '../exchange.ts'
import type { Connections } from './connections.ts'
import { printRefusal, sendFinal } from './final-answer.ts'

/** Answers what never became a request, and tells of it. */
export function takeErrors(node: NodeServer, connections: Connections, server: Server): void {
  node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const refused = answerClientError(error, socket, connections)
    if (refused !== undefined) tellBroken(server, refused, socket)
  })
}

const CLIENT_ERRORS: { readonly [code: string]: Refusal } = {
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'Request timeout'),
  HPE_HEADER_OVERFLOW: refusal(431, 'Request header fields too large'),
}

/**
 * What has been answered leaves first; where an answer is being written, nothing must get into the middle of it, and a
 * request that came whole before what is broken has its own answer, which is the last.
 */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
): Refusal | undefined {
  connections.flusher.flush()
  const connection = connections.of(socket)
  if (connection.endsWithCurrent()) return undefined
  if (!socket.writable || connection.answering) return void socket.destroy()
  const refused = CLIENT_ERRORS[error.code ?? ''] ?? refusal(400, 'Bad request: this is no HTTP')
  sendFinal(socket, printRefusal(refused))
  return refused
}

/** Whatever it was, it never became a request that has a path. */
function tellBroken(server: Server, { status, error }: Refusal, { remoteAddress }: Socket): void {
  const { message } = error
  server.observe({ kind: 'turned-away', status, message, method: '', path: '', from: remoteAddress })
}
