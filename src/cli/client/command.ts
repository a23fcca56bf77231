import type { Client, Notification, RequestOptions } from '../../client/index.ts'
import type { CommandLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import type { CommandOutput } from './output.ts'

/** A command that asks something of any server. */
export interface ClientCommand {
  readonly name: string
  readonly summary: string
  /** What is typed after its name. */
  readonly words: string
  readonly example: string
  /** Whether its first word may name the server: an address, a file, one of ours. */
  readonly namesServer?: true
  /** Options of its own. */
  readonly settings: SettingTable
  /** Looks at what was typed, before any server is bothered, and gives what to do with one. */
  prepare(line: CommandLine): (talk: Talk) => Promise<void>
}

/** What the server is asked, or how many servers it waits for itself, since it has answered that more is to come. */
export type WaitSubject = string | number

/** A command's time with a server. */
export interface Talk {
  readonly client: Client
  readonly output: CommandOutput
  /** Goes with every request: it is given up by Ctrl-C, and shows how far it has come. */
  readonly options: RequestOptions
  /** Aborted when it is to end. */
  readonly signal: AbortSignal
  /** Has what the server tells from here on told to somebody else than whoever reads stderr. */
  hear(listener: (notification: Notification) => void): void
  /** Says what is waited for from here on, for whoever has to. */
  awaits(what: WaitSubject): void
  /** What the server calls itself. */
  readonly serverName: string
}
