import type { Revision, Server } from '../kernel/index.ts'
import { checkPrincipal } from '../transports/check-principal.ts'
import type { Answers } from './answers.ts'
import { Client } from './client.ts'
import { LIMITS } from './limits.ts'
import { shakeHands } from './opening.ts'
import { DEFAULTS } from './options.ts'
import { createParts } from './parts.ts'
import type { Notification } from './requesting.ts'
import type { TestClient, TestSettings } from './test-client.ts'
import { memoryWire } from './wires/memory.ts'

const INFO = { name: 'test-client', version: '1.0.0' }

/** Says nothing to the server but what its revision demands, and waits for as long as it takes. */
export async function openTestClient(
  server: Server,
  revision: Revision,
  { answers, capabilities, principal }: TestSettings,
): Promise<TestClient> {
  if (principal !== undefined) checkPrincipal(principal, 'createTestClient: principal')
  await server.start()
  const notices: Notification[] = []
  const onNotification = (notification: Notification) => void notices.push(notification)
  const patience = { timeoutMs: Number.POSITIVE_INFINITY }
  const settled = {
    ...DEFAULTS,
    ...patience,
    info: INFO,
    answers: answers as Answers, // A test may want to answer what no client would.
    capabilities,
    onNotification,
  }
  const { connection, subscriptions } = createParts(settled, LIMITS)
  await connection.use(memoryWire(server, principal))
  connection.speak(revision)
  const opened =
    revision.opening === 'handshake'
      ? await shakeHands(revision, connection)
      : { revision, info: server.info, capabilities: {}, instructions: undefined }
  return Object.assign(new Client({ connection, subscriptions }, opened, LIMITS), { notices })
}
