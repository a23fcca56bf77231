import type { LogLevel } from '../log-level.ts'
import type { Peer } from './peer.ts'

/** Who has said from which level on notices are wanted: the client of a conversation, or whoever makes a call. */
interface LogHearer {
  readonly link: { readonly peer: Peer | undefined; readonly logLevel: LogLevel | undefined }
  readonly peer: Peer
}

/** From which level on log notices are wanted, in the way of each revision. */
export const LOG_THRESHOLD: Record<Peer['revision']['logLevel'], (to: LogHearer) => LogLevel | undefined> = {
  // Before the handshake there is nobody who could have agreed to hear notices.
  'by-method': ({ link }) => (link.peer === undefined ? undefined : link.logLevel),
  'by-request': ({ peer }) => peer.logLevel,
}
