import { NEWEST } from '../kernel/index.ts'
import { capabilitiesOf } from './answers.ts'
import { ClientConnection } from './connection.ts'
import type { Limits } from './limits.ts'
import { Subscriptions } from './listening.ts'
import { openAgain } from './opening.ts'
import type { Settled } from './options.ts'
import { ServerQuestions } from './questions.ts'

/** What a client is made of, before it has found its server. */
export interface ClientParts {
  readonly connection: ClientConnection
  readonly subscriptions: Subscriptions
}

export function createParts(
  { answers, capabilities, info, timeoutMs, onNotification, onReopened, onError, intake }: Settled,
  limits: Limits,
): ClientParts {
  const connection: ClientConnection = new ClientConnection(NEWEST, {
    info,
    capabilities: capabilitiesOf(answers, capabilities),
    timeoutMs,
    intake,
    questions: (send) => new ServerQuestions({ answers, limits, send, warn: onError }),
    onNotification: (notification) => {
      subscriptions.tell(notification)
      onNotification(notification)
    },
    onError,
    onReopen: async () => {
      await openAgain(connection)
      const told = async () => onReopened()
      told().catch(onError) // The session is there all the same.
      restore(connection, subscriptions).catch(onError)
    },
  })
  const subscriptions = new Subscriptions(connection, { timeoutMs, limits })
  return { connection, subscriptions }
}

/** What the session before was told once. */
async function restore(connection: ClientConnection, subscriptions: Subscriptions): Promise<void> {
  const { logLevel: level } = connection
  if (level !== undefined) await connection.request('logging/setLevel', { level })
  await subscriptions.renew()
}
