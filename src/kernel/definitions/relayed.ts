import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './authors.ts'

/**
 * Something of another server's, which is offered here as it is listed there. Nothing about it is checked on this side:
 * whoever has it knows best what it takes, and what it gives is told as it is, in the words of the caller's revision.
 */
export interface Relayed {
  /** Where it stands on its list; after everything that has no such number, unless that is greater. */
  readonly place?: number
  /** As its own server lists it, by the name that it has here. */
  readonly relayed: JsonObject
  readonly scopes?: readonly string[] | undefined
  /** What its server is about, in words by which it may be searched for. */
  readonly about?: string | undefined
  /** Has its own server answer the call: gives a result as that server gave it, or questions to the client. */
  answer(call: Call): unknown
  /** The same for suggestions, where its server has any. */
  complete?: ((call: Call) => unknown) | undefined
  /** Asks its server whether it tells when what is at this URI changes, and to do so. */
  confirm?: ((uri: string, call: Call) => Promise<boolean>) | undefined
  /** Whether clients may ask to be told when it changes. */
  readonly subscribable?: boolean | undefined
  /** Whether a call of it may, or must, go on as a task; `maybe` where its server tells only when it is called. */
  readonly task?: 'optional' | 'required' | 'maybe' | undefined
  /** How its server's tasks are begun and followed, where it has any. */
  readonly tasks?: TasksElsewhere | undefined
}

/** How calls become tasks of another server, each of which has a task here that goes with it. */
export interface TasksElsewhere {
  /** Has the other server begin one: gives a `TaskElsewhere`, questions to the client, or what was answered instead. */
  begin(call: Call): unknown
  /** Waits for what comes of it, or for its next questions; `call.state` says which task it is. */
  follow(call: Call, tell: (message: string) => void): Promise<unknown>
}
