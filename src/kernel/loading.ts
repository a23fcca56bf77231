import type { Budgets } from './budgets/budgets.ts'
import type { Store } from './ports/store.ts'
import type { Settings } from './settings.ts'

/**
 * What a command says while it loads a file to serve the server in it. It is said under a global name, because the
 * file may use another copy of this package than the command does.
 */
export interface Loading {
  /** The file, as it was named. */
  readonly file: string
  /** What runs it by itself, such as `node`; a command of another version may not say so. */
  readonly runner?: string
  /** What the operator adds to any server, before its own: telemetry, limits. */
  readonly modules: readonly unknown[]
  /** What the operator chose, over what the file says. */
  readonly budgets: Partial<Budgets>
  readonly settings: Partial<Settings>
  /** What the operator has it share with others like it. */
  readonly nodes: { readonly store?: Store; readonly secrets?: readonly string[] }
  /** The same where neither the operator nor the file names anything that can be shared. */
  readonly otherwise: Loading['nodes']
  /** Whether a server has been made with it. */
  taken: boolean
}

const NAME = Symbol.for('perigee.loading')

const place = globalThis as { [NAME]?: Loading | undefined }

/**
 * What a command has said, if one is loading this file.
 * @example const file = findLoading()?.file
 */
export function findLoading(): Loading | undefined {
  return place[NAME]
}

/**
 * Says so until `load` has finished.
 * @example const load = (loading: Loading) => whileLoading(loading, async () => findLoading()?.file)
 */
export async function whileLoading<Loaded>(loading: Loading, load: () => Promise<Loaded>): Promise<Loaded> {
  place[NAME] = loading
  try {
    return await load()
  } finally {
    place[NAME] = undefined
  }
}
