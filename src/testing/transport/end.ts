import type { AuthorServer } from '../../kernel/index.ts'
import type { Kept } from './contract-server.ts'

/** How the transport to be tested carries one conversation. */
export interface TransportContract {
  /** Serves the server over the transport, and opens a client's end to it that knows nothing but bare messages. */
  open(opening: TransportOpening): TransportEnd | Promise<TransportEnd>
  /** The revisions it carries; all of them unless said. */
  readonly revisions?: readonly string[]
  /** What it cannot do, and why: `{ bytes: 'messages travel whole' }`. */
  readonly lacks?: { readonly [feature in TransportFeature]?: string }
  /** How long to wait for what must come; long, since only what fails ever waits so long. */
  readonly patienceMs?: number
}

/**
 * What some transports cannot do: be handed bytes in pieces (`bytes`), carry what a call says before its answer
 * (`notices`), what belongs to no call (`changes`), or what is said before the client has begun to listen for that
 * (`early`), carry questions to the client, cancel a call.
 */
export type TransportFeature = 'bytes' | 'notices' | 'changes' | 'early' | 'questions' | 'cancelling'

/** What a transport is handed to serve. */
export interface TransportOpening {
  readonly server: AuthorServer
  /** Takes the text of a message, or of a batch, as it comes out at the client's end. */
  hear(text: string): void
  /** Is called when the server has ended the conversation, or a call of it, without a word. */
  ended(): void
}

/** The client's end of a conversation. */
export interface TransportEnd {
  /** Sends a message, a batch, or any text in its place; what is sent next must not overtake it. */
  send(text: string): void | Promise<void>
  /** Sends a message in pieces that are cut anywhere, where the transport is one of bytes. */
  sendPieces?(pieces: readonly Uint8Array[]): void | Promise<void>
  /** Leaves as a client of this transport does, in the middle of whatever is under way. */
  leave(): void | Promise<void>
  /** Closes the server's side, without waiting for what is under way. It may be called after `leave`. */
  close(): void | Promise<void>
  /** Tells what the server keeps when the conversation is over, where it is not the one that was handed to `open`. */
  kept?(): Promise<Kept>
}
