import type { Intake } from './intake.ts'
import type { Self } from './introduction.ts'
import type { ServerQuestions } from './questions.ts'
import type { Notification } from './requesting.ts'
import type { Sent } from './wire.ts'

export interface ClientConnectionOptions extends Self {
  readonly timeoutMs: number
  readonly intake: Intake | undefined
  readonly questions: (send: (answer: Sent) => Promise<void>) => ServerQuestions
  readonly onNotification: (notification: Notification) => void
  readonly onError: (error: Error) => void
  readonly onReopen: () => Promise<void>
}
