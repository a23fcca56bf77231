import { type BoardTask, type BoardTools, COLUMNS, toTasks } from '../model/board.ts'
import { talk } from './session.ts'
import { Store } from './store.ts'

export interface Board {
  readonly columns: { readonly [status: string]: readonly BoardTask[] }
  /** Which of them have more than is shown. */
  readonly more: readonly string[]
  readonly error?: string | undefined
}

export const board = new Store<Board>({ columns: {}, more: [] })

/** As much as one looks at. */
const MOST = 50

/** Reads every column anew. */
export async function loadBoard(tools: BoardTools, text: string): Promise<void> {
  try {
    const read = COLUMNS.map(async ({ status }) => {
      const words = text.trim() === '' ? {} : { text: text.trim() }
      const content = await use(tools.list, { status, limit: MOST, ...words })
      return [status, toTasks(content), 'nextCursor' in content] as const
    })
    const columns = await Promise.all(read)
    board.set({
      columns: Object.fromEntries(columns),
      more: columns.filter(([, , hasMore]) => hasMore).map(([status]) => status),
    })
  } catch (error) {
    board.change((before) => ({ ...before, error: (error as Error).message }))
  }
}

/** Puts a task into another column, unless somebody has changed it since it was shown; then all is read anew. */
export async function moveTask(tools: BoardTools, task: BoardTask, status: string): Promise<void> {
  await attempt(() => use(tools.update, { id: task.id, status, expectedUpdatedAt: task.updatedAt }))
}

export async function addTask(tools: BoardTools, description: string): Promise<void> {
  await attempt(() => use(tools.create, { description }))
}

/** What went wrong is told until something goes right. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  const error = await work().then(
    () => undefined,
    (reason: Error) => reason.message,
  )
  board.change((before) => ({ ...before, error }))
}

async function use(tool: string, args: { readonly [name: string]: unknown }) {
  const { client } = talk.value
  if (client === undefined) throw new Error('There is no connection')
  const { isError, content, structuredContent } = await client.callTool(tool, args)
  const [block] = content
  const text = block?.type === 'text' ? block.text : ''
  if (isError === true) throw new Error(text)
  return (structuredContent ?? JSON.parse(text)) as { readonly [name: string]: unknown } // Older revisions have text alone.
}

/** Calls whenever the list says that it has changed; gives what ends that. */
export function watchBoard(changed: () => void): () => void {
  const listening = talk.value.client?.subscribe('tasks://open', changed)
  // A server need not tell of changes, and the connection may be gone by the end.
  return () => void listening?.then((one) => one.close()).catch(() => {})
}
