import type { Server } from '../kernel/index.ts'

/** A setting of a ready server: a flag, an environment variable, and what stands when neither is given. */
export interface Setting {
  readonly environment: string
  readonly placeholder: string
  readonly description: string
  readonly fallback: string
}

export interface Surroundings<Name extends string = string> {
  readonly settings: { readonly [name in Name]: string }
  /** Takes a line for whoever runs the server. */
  readonly writeLog: (line: string) => void
}

/** A server that people use as it is. */
export interface ReadyServer {
  readonly name: string
  readonly summary: string
  readonly settings: { readonly [name: string]: Setting }
  /** Throws an Error that says which setting is wrong. */
  create(surroundings: Surroundings): Server
}
