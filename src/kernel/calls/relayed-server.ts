import type { CacheHint } from '../definitions/implementation.ts'

/** One of the servers that a server stands for, as far as others than itself have to know. */
export interface RelayedServer {
  readonly name: string
  /** Resolves when it has been looked at, well or not, as often as there was reason to. */
  readonly looked: Promise<unknown>
  readonly state: RelayedState
  /** What it says of itself; undefined as long as that is not known. */
  readonly introduced: RelayedIntroduction | undefined
  /** Why nothing of it is there, where that is so. */
  readonly absence: RelayedAbsence | undefined
  /** The tools that are not served since they have changed, with what they were and have become. */
  readonly changed: readonly ChangedTool[]
  /** How long one of its lists keeps, and for whom, by the name it has in the protocol; undefined where it has none. */
  cacheOf(list: string): Partial<CacheHint> | undefined
  /** The name that something has here which has this one there, or had it here while there were other servers. */
  nameHere(list: 'tools' | 'prompts', name: string): string | undefined
  /** Somebody has asked for what it has: where that has been known for too long, it is found out again, and nobody waits. */
  asked(): void
  /** Has a changed tool served, if it is still what somebody has looked at. */
  approve(tool: string, hash: string): Promise<boolean>
}

/** What clients are told of it when they connect. */
export interface RelayedIntroduction {
  /** How it is meant to be used. */
  readonly instructions: string
  /** Who is told. */
  readonly scopes: readonly string[]
}

/** Why clients see nothing of it. */
export interface RelayedAbsence {
  readonly reason: string
  /** Whether it is only not known yet what it has, so that lists wait for it. */
  readonly isAwaited: boolean
  /** How the names of its tools begin. */
  readonly prefix: string
  /** Who is told. */
  readonly scopes: readonly string[]
}

/** How it is, and what has become of the calls that went to it. */
export interface RelayedState {
  readonly name: string
  readonly transport: 'stdio' | 'http' | 'memory'
  /** Its address, or its command, without what could be a secret. */
  readonly address: string
  /** The revision that is spoken to it, once that is known. */
  readonly revision: string | null
  readonly state: 'connecting' | 'ready' | 'unreachable' | 'signed-out'
  readonly offered: { readonly [list: string]: number }
  readonly calls: number
  /** Those that it did not answer. */
  readonly failed: number
  readonly underway: number
  /** How long half of its last calls took at most, in milliseconds. */
  readonly p50: number | null
  readonly lastError: { readonly text: string; readonly time: number } | null
  /** When it is tried again, in milliseconds since 1970. */
  readonly nextTry: number | null
  /** What of it is not offered, why, and how that is mended. */
  readonly leftOut: readonly string[]
  /** The tools that have changed since they were approved. */
  readonly changed: readonly Pick<ChangedTool, 'tool' | 'hash' | 'seen'>[]
  /** The file in which its tools are pinned, if they are. */
  readonly pins: string | null
}

/** A tool that is no longer as it was when it was approved. */
export interface ChangedTool {
  /** Its name there. */
  readonly tool: string
  /** What it has become. */
  readonly hash: string
  /** When that was seen first. */
  readonly seen: string
  readonly before: object
  readonly after: object
}
