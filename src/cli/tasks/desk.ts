import type { Module } from '../../authoring/define.ts'
import { type Client, connect } from '../../client/index.ts'
import { isObject, type JsonObject, VERSION } from '../../kernel/index.ts'
import type { Task } from '../../modules/task-list/index.ts'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { printResult } from '../client/content.ts'
import { readConfig } from '../config.ts'
import type { GivenSettings } from '../config-file.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'

/** A task list, as somebody at a terminal uses it: by the same tools that agents have. */
export class TaskDesk {
  readonly #client: Client
  readonly #signal: AbortSignal
  /** Where the clock hangs of whoever the list is of; that of this process unless said. */
  readonly zone: string | undefined

  /** What is asked for after the signal is aborted rejects. */
  constructor(client: Client, signal: AbortSignal, zone?: string) {
    this.#client = client
    this.#signal = signal
    this.zone = zone
  }

  async use(tool: string, args: JsonObject): Promise<JsonObject> {
    const result = await this.#client.callTool(tool, args, { signal: this.#signal })
    if (result.isError === true)
      throw new CommandError(EXIT_CODES.failed.code, printResult(result).replace(/^error: /, ''))
    return isObject(result.structuredContent) ? result.structuredContent : {}
  }

  async task(tool: string, args: JsonObject): Promise<Task> {
    return (await this.use(tool, args)) as unknown as Task // As its output schema says.
  }

  /** Pages of a list until there is no more, or enough. */
  async *pages(filter: JsonObject, most = Number.POSITIVE_INFINITY): AsyncGenerator<ListedPage> {
    let left = most
    let cursor: unknown
    do {
      const page = await this.use('list_tasks', {
        ...filter,
        limit: Math.min(left, PAGE),
        ...(cursor !== undefined && { cursor }),
      })
      const tasks = page['tasks'] as unknown as readonly Task[] // As its output schema says.
      cursor = page['nextCursor']
      left -= tasks.length
      yield { tasks, hasMore: cursor !== undefined }
    } while (cursor !== undefined && left > 0)
  }

  /** A whole id for its beginning, with or without `task_`. */
  async findId(given: string): Promise<string> {
    const value = given.startsWith('task_') ? given : `task_${given}`
    // Every id begins with nothing, and a variable of a script may have been empty.
    if (value === 'task_')
      throw new UsageError(`expected the beginning of an id, got ${JSON.stringify(given)}`)
    if (value.length === WHOLE) return value
    const { values } = await this.#client.complete(TEMPLATE, { name: 'id', value })
    const found = values.filter((id) => id.startsWith(value))
    if (found.length === 1 && found[0] !== undefined) return found[0]
    const what =
      found.length === 0 ? 'there is no task' : `there are several tasks, ${found.slice(0, 5).join(', ')},`
    throw new UsageError(`${what} whose id begins with ${value}`)
  }
}

export interface ListedPage {
  readonly tasks: readonly Task[]
  readonly hasMore: boolean
}

const TEMPLATE = { type: 'ref/resource', uri: 'task://{id}' } as const
const PAGE = 200
const WHOLE = 'task_'.length + 16

/** What fails is said in one sentence, by the command; what an operator should know is said beside it. */
const TOLD: Module = {
  name: 'terminal',
  reports: true,
  observe: (event) => {
    if (event.kind === 'noted') console.error(`bossman: ${event.message}`)
  },
}

interface DeskOpening {
  readonly ready: ReadyServer
  /** Where the list is. */
  readonly flags: GivenSettings
  readonly signal: AbortSignal
}

/** Opens the list that the server of the same name would serve, in this process. */
export async function withDesk(
  { ready, flags, signal }: DeskOpening,
  work: (desk: TaskDesk) => Promise<void>,
): Promise<void> {
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${String(value)}`)
  const { settings, lists, sources } = readConfig(ready, args)
  const context = { settings, lists, sources, modules: [TOLD], budgets: {}, nodes: {} }
  const server = await ready.create({ ...context, unscoped: 'open', shown: { offer: 'all' } })
  const client = await connect(server, { info: { name: 'terminal', version: VERSION } })
  try {
    await work(new TaskDesk(client, signal, settings['zone']))
  } finally {
    await client.close()
    await server.close()
  }
}
