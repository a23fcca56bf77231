export interface Unpacked {
  /** The path of a program. */
  program(name: string): string
  /** What it has to find in its environment. */
  readonly env: NodeJS.ProcessEnv
}

/** Puts Debian's packages into a folder, without installing them. */
export function unpackDebian(names: readonly string[], folder: string): Promise<Unpacked>
