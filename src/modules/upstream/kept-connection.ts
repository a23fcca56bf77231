import { type Client, ClientError } from '../../client/index.ts'
import type { HeldFor, Holder } from './holder.ts'
import { mostHeld } from './most-held.ts'

/** A connection to an upstream, and how many calls use it. */
export interface KeptConnection {
  /** By what it is found; another one where it is left and still used. */
  holder: Holder
  readonly client: Promise<Client>
  /** Gives up connecting. */
  readonly stop: AbortController
  /** The same, once it is there. */
  opened: Client | undefined
  readonly held: HeldFor | undefined
  calls: number
  /** Whether its client has left. */
  isLeft: boolean
  stopClock: (() => void) | undefined
}

/** A connection that a call uses until it releases it. */
export interface Used {
  readonly client: Client
  readonly release: () => void
}

/** Whether it is no more than the calls on it, which go on when others have another. */
export function isBare({ isLeft, opened }: KeptConnection): boolean {
  return isLeft && opened?.isKept === false
}

/** Which gives way to one more of an owner: what has been idle for longest, of whoever has most if they have such, else the newest of theirs; undefined where the owner would take it from themselves. */
export function findLeaving(all: ReadonlyMap<Holder, KeptConnection>, owner: string): Holder | undefined {
  const ofClients = [...all].flatMap(([holder, { held, calls }]) =>
    held === undefined ? [] : [{ holder, calls, owner: held.holding.owner }],
  )
  const owners = ofClients.map((one) => one.owner)
  const greedy = mostHeld(owners, owner)
  const theirs = ofClients.filter((one) => greedy.has(one.owner))
  const idle = [...theirs, ...ofClients].find(({ calls }) => calls === 0)
  return (idle ?? (greedy.has(owner) ? undefined : theirs.at(-1)))?.holder
}

export async function closeClient({ client, stop }: KeptConnection): Promise<void> {
  stop.abort(new Error('The upstream is closed')) // Where it has not answered yet, nobody waits for it.
  await client.then((one) => one.close()).catch(() => {}) // It is gone either way.
}

/** What whoever uses a connection is told that gives way to somebody else's, also while it is being made. */
export function givenAway(): ClientError {
  const text = 'this connection was ended for somebody who has fewer (--max-upstream-connections)'
  return new ClientError('closed', text)
}
