import type {
  AuthorServer,
  Json,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../kernel/index.ts'

/** What stands on each list of a server. */
export interface KeptDefinitions {
  readonly tools: ToolDefinition
  readonly resources: ResourceDefinition
  readonly templates: ResourceTemplateDefinition
  readonly prompts: PromptDefinition
}

/** How things that are made of data are kept. */
export interface KeptOptions<Data, List extends keyof KeptDefinitions> {
  /** What they are kept under; each needs a name of its own. */
  readonly name: string
  readonly list: List
  /** Makes one of what is kept: the same on every node, now and after a restart. */
  readonly define: (data: Data) => KeptDefinitions[List]
  /** How long they stay when their owner uses nothing; a day, unless said. */
  readonly ttlMs?: number
  /** Throws when an owner may have no more, with what would help. */
  readonly admit?: (server: AuthorServer, owner: string, data: Data) => void
  /** Told of each, wherever it was made or removed. */
  readonly added?: (server: AuthorServer, owner: string, data: Data) => void
  readonly removed?: (server: AuthorServer, owner: string, data: Data) => void
}

/** The same, with nothing left open, whatever the data. */
export interface AnyKeptOptions extends Omit<KeptOptions<Json, keyof KeptDefinitions>, 'ttlMs'> {
  readonly ttlMs: number
  readonly keyOf: (data: Json) => string
}
