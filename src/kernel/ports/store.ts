import type { Json } from '../jsonrpc/message.ts'

/** What a store keeps under a key. */
export interface Entry {
  readonly value: Json
  /** Grows with every put. */
  readonly version: number
}

/** How something is put into a store. */
export interface PutOptions {
  readonly ttlMs?: number
  /** Puts only if the entry has this version; 0 means that there is none. */
  readonly ifVersion?: number
}

/** How something is added to a log. */
export interface AppendOptions {
  readonly ttlMs?: number
  /** How many of the last items the log keeps. */
  readonly keep?: number
  /** How long what it keeps may be, printed; the oldest go first, and the newest stays however long it is. */
  readonly keepBytes?: number
}

/** One thing in a log. */
export interface Item {
  readonly number: number
  readonly value: Json
}

/** How fast something may be done: so many at once, and so many a second in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** How somebody joins a group. */
export interface EnterOptions {
  /** When it is forgotten, unless it enters again. */
  readonly ttlMs: number
  /** The most that the group may have. */
  readonly limit: number
}

/** What a store is asked to do. */
export type StoreOperation = Exclude<keyof Store, 'shared' | 'place' | 'trouble' | 'close'>

/** All the kernel ever asks of a place to keep things. Every operation is required of every store, and happens whole or not at all. */
export interface Store {
  /** Whether other processes may use what it keeps as well. */
  readonly shared: boolean
  /** What it is, for whoever runs the server: `redis://10.0.0.5:6379/0`, with nothing that is secret. */
  readonly place?: string
  get(key: string): Promise<Entry | undefined>
  /** Gives the new version, or undefined when `ifVersion` did not match. */
  put(key: string, value: Json, options?: PutOptions): Promise<number | undefined>
  /** Has an entry live for so long from now, as it is; tells whether it is there. */
  touch(key: string, ttlMs: number): Promise<boolean>
  /** Removes the entry and the log of this name. */
  delete(key: string): Promise<void>
  /** Adds to the end of a log, which lives for `ttlMs` from here; numbers begin at 1 and grow by one while it lives. */
  append(log: string, value: Json, options?: AppendOptions): Promise<number>
  /** Items after a number, oldest first. */
  read(log: string, after: number, limit: number): Promise<readonly Item[]>
  /** Tells every subscriber, in this process and in others sharing the store. */
  publish(topic: string, message: Json): Promise<void>
  /** `missed` is called when messages may have been lost on the way, as after a broken connection. */
  subscribe(
    topic: string,
    listener: (message: Json) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>
  /** Takes one from a bucket, which is full at first: 0, or after how many milliseconds there will be one to take. */
  take(bucket: string, rate: Rate): Promise<number>
  /** Has a member be in a group, or stay in it, unless it is full; tells whether it is in. */
  enter(group: string, member: string, options: EnterOptions): Promise<boolean>
  leave(group: string, member: string): Promise<void>
  /** Why it cannot be used right now, where that is so. */
  trouble(): string | undefined
  close(): Promise<void>
}
