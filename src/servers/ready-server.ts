import type { Module } from '../authoring/define.ts'
import type { Budgets, Loading, LogLevel, Server, Settings } from '../kernel/index.ts'

/** A setting of a ready server: a flag, an environment variable, and what stands when neither is given. */
export interface Setting {
  /** Whether it is given once, may be given again and again, or is either there or not. */
  readonly kind?: 'one' | 'many' | 'switch'
  /** Whether it means something over HTTP alone. */
  readonly over?: 'http'
  /** Whether it is a number, which need not stand in quotes in a file. */
  readonly value?: 'number'
  readonly environment?: string
  readonly placeholder?: string
  readonly description: string
  readonly fallback?: string
}

export interface ServerContext {
  readonly settings: { readonly [name: string]: string | undefined }
  /** The settings that may be given more than once. */
  readonly lists: { readonly [name: string]: readonly string[] }
  /** What the operator adds to every server: telemetry, limits. */
  readonly modules: readonly Module[]
  /** Has something tried when the server has started: whether its database can be opened. */
  readonly atStart?: (trial: () => Promise<unknown>) => void
  /** Tells whoever runs it something while there is no server yet that could. */
  readonly note?: ((level: LogLevel, message: string) => void) | undefined
  /** How far what callers can make grow may grow. */
  readonly budgets: Partial<Budgets>
  /** What it shares with others like it. */
  readonly nodes: Loading['nodes']
  /** What of that the operator has named; the rest stands where a server in a file names nothing itself. */
  readonly named?: Loading['nodes']
  /** Where each setting was given: `--name`, its variable, or its file. */
  readonly sources: { readonly [name: string]: string }
  /** Whether callers whose scopes are limited may use what asks for no scope. */
  readonly unscoped: Settings['unscoped']
  /** What models are shown of it, and what scripts may do. */
  readonly shown: Partial<Settings>
}

/** How a ready server is served over HTTP, where it differs from the others. */
export interface HttpChoices {
  /** The variable that holds the key of those who may call, from end to end. */
  readonly keyEnvironment?: string
  /** The header that carries a key. */
  readonly keyHeader?: string
  readonly keyRequired?: boolean
  /** Whether calls without a session are served, too. */
  readonly sessionless?: boolean
  /** Whether there is nothing at all beside `/mcp`. */
  readonly alone?: boolean
  /** Whether it stays on its port unless a flag says otherwise: a PORT that was meant for another program does not move it. */
  readonly ownPort?: boolean
}

/** A page beside MCP, for a person and a browser; loaded when somebody opens it. */
export type ReadyPage = () => Promise<{
  readonly headers: { readonly [name: string]: string }
  /** Throws an Error that says what is wrong with the query. */
  answer(query: URLSearchParams): string | Promise<string>
}>

/** A server that people use as it is. */
export interface ReadyServer {
  readonly name: string
  readonly summary: string
  /** What can be typed after its name instead of options, and what for. */
  readonly commands?: { readonly names: readonly string[]; readonly summary: string }
  /** Every way to type it, and what each is for, where options are not all there is to it. */
  readonly forms?: { readonly [words: string]: string }
  /** What a host has to add to what was typed, since it starts it in another folder. */
  readonly hostWords?: readonly string[]
  /** How it is served unless told otherwise. */
  readonly transport: 'stdio' | 'http'
  /** From which level on it says on stderr what it does, unless told otherwise. */
  readonly logLevel: LogLevel | 'off'
  readonly settings: { readonly [name: string]: Setting }
  readonly http: HttpChoices
  /** What stands beside `/mcp` for anybody who can reach it, by path, where its switches ask for it. */
  pages?(switches: ReadonlySet<string>): { readonly [path: string]: ReadyPage }
  /** Whether it is made of files, which can be watched and looked at. */
  readonly ofFiles?: boolean
  /** Whether `--store` names its task list first of all; unless said, it names what nodes share. */
  readonly storeIs?: 'task-list'
  /** Throws an Error that says which setting is wrong. */
  create(context: ServerContext): Server | Promise<Server>
}

/** How long clients keep the lists of what is being worked on: one may be another with the next change, of which not every client asks to hear. */
export const NEVER_KEPT = { ttlMs: 0, cacheScope: 'private' } as const
