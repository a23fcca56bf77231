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
}

/** One thing in a log. */
export interface Item {
  readonly number: number
  readonly value: Json
}

/** All the kernel ever asks of a place to keep things. Every operation is required of every store. */
export interface Store {
  get(key: string): Promise<Entry | undefined>
  /** Gives the new version, or undefined when `ifVersion` did not match. */
  put(key: string, value: Json, options?: PutOptions): Promise<number | undefined>
  /** Removes the entry and the log of this name. */
  delete(key: string): Promise<void>
  /** Adds to the end of a log, which lives for `ttlMs` from here; numbers begin at 1 and grow by one while it lives. */
  append(log: string, value: Json, options?: AppendOptions): Promise<number>
  /** Items after a number, oldest first. */
  read(log: string, after: number, limit: number): Promise<readonly Item[]>
  /** Tells every subscriber, in this process and in others sharing the store. */
  publish(topic: string, message: Json): Promise<void>
  subscribe(topic: string, listener: (message: Json) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
