import type { Change, Client, RequestOptions, Wanted } from '../../client/index.ts'

type ListKind = 'tools' | 'prompts' | 'resources'
const KINDS = ['tools', 'prompts', 'resources'] as const

/** What a server has to tell of, as far as it says so, and these resources. */
export function wantedOf({ capabilities }: Client, uris: readonly string[]): Wanted {
  const lists = KINDS.filter((kind) => kind in capabilities).map((kind) => [kind, true])
  return { ...Object.fromEntries(lists), ...(uris.length > 0 && { uris }) }
}

export function printWanted({ uris = [], ...lists }: Wanted): string {
  return [...KINDS.filter((kind) => lists[kind] === true), ...uris].join(', ') || 'which tells of nothing'
}

/** How a list has changed, by name. */
export interface ListChange {
  readonly kind: ListKind
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** What the lists of a server held when they were last looked at. */
export class SeenLists {
  readonly #client: Client
  readonly #options: RequestOptions
  readonly #seen = new Map<ListKind, ReadonlyMap<string, string>>()

  constructor(client: Client, options: RequestOptions) {
    this.#client = client
    this.#options = options
  }

  async look(wanted: Wanted): Promise<void> {
    for (const kind of KINDS) if (wanted[kind] === true) this.#seen.set(kind, await this.#list(kind))
  }

  /** Looks again, and tells what is different. */
  async compare(kind: ListKind): Promise<ListChange> {
    const before = this.#seen.get(kind) ?? new Map<string, string>()
    const now = await this.#list(kind)
    this.#seen.set(kind, now)
    const names = [...now.keys()]
    return {
      kind,
      added: names.filter((name) => !before.has(name)),
      removed: [...before.keys()].filter((name) => !now.has(name)),
      changed: names.filter((name) => before.has(name) && before.get(name) !== now.get(name)),
    }
  }

  async #list(kind: ListKind): Promise<ReadonlyMap<string, string>> {
    const entries = await this.#client[kind](this.#options)
    return new Map(entries.map((one) => [String(one['uri'] ?? one.name), JSON.stringify(one)]))
  }
}

export function printChange(change: Exclude<Change, { kind: ListKind }> | ListChange): string {
  if (change.kind === 'resource') return `${change.uri} has changed`
  if (change.kind === 'task') return `task ${change.task.taskId}: ${change.task.status}`
  const marks = [
    ...change.added.map((name) => `+${name}`),
    ...change.removed.map((name) => `-${name}`),
    ...change.changed.map((name) => `~${name}`),
  ]
  return `${change.kind} have changed: ${marks.join(' ') || 'nothing that one could see'}`
}
