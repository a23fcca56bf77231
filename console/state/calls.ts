import type { Client } from '../../src/client/client.ts'
import type { Progress } from '../../src/client/requesting.ts'
import type { TaskState } from '../../src/client/task-state.ts'
import { weightOf } from '../model/shown.ts'
import { leave, room } from './room.ts'
import { hello, notificationHearers, talk } from './session.ts'
import { Store } from './store.ts'
import { isUnderWay, type KnownTask, noteTask, rememberTask, tasks } from './tasks.ts'

export type Target =
  | { readonly kind: 'tool'; readonly name: string; readonly args: { readonly [name: string]: unknown } }
  | { readonly kind: 'resource'; readonly name: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly args: { readonly [name: string]: string } }

/** One call, from the moment somebody asked for it. */
export interface Call {
  readonly id: number
  readonly target: Target
  readonly revision: string
  readonly startedAt: number
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly ms?: number
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly message: string; readonly code?: number; readonly data?: unknown }
  readonly progress?: Progress
  readonly log: readonly unknown[]
  readonly taskId?: string
  readonly tokens?: number
}

/** The newest first. */
export const calls = new Store<readonly Call[]>([])

const [MOST_KEPT, MOST_LOGGED] = [50, 200]

const stops = new Map<number, AbortController>()
let last = 0

export interface Running {
  readonly asTask?: boolean
}

export function call(target: Target, { asTask = false }: Running = {}): void {
  const { client } = talk.value
  if (client === undefined) return
  const id = begin(target, client)
  void carryOut(id, (signal) => perform({ client, id, signal }, target, asTask))
}

export function cancel(id: number): void {
  const taskId = calls.value.find((one) => one.id === id)?.taskId
  if (taskId !== undefined) void talk.value.client?.tasks.cancel(taskId).catch(() => {}) // The task says how it ended.
  stops.get(id)?.abort(new Error('Cancelled'))
}

/** Goes on with what was under way when the page was left. */
export function resumeTasks(client: Client): void {
  const endpoint = place()
  const known = new Set(calls.value.map((one) => one.taskId))
  for (const task of tasks.value) {
    const isOurs = task.endpoint === endpoint && task.revision === client.revision.id
    if (!isOurs || known.has(task.taskId) || !isUnderWay(task)) continue
    const args = (task.args ?? {}) as { readonly [name: string]: unknown } // As they were sent.
    const id = begin({ kind: 'tool', name: task.tool, args }, client, {
      taskId: task.taskId,
      startedAt: task.startedAt,
    })
    void carryOut(
      id,
      (signal) => follow({ client, id, signal }, task.taskId),
      () => lasted(client, task),
    )
  }
}

function begin(target: Target, client: Client, more: Partial<Call> = {}): number {
  const id = ++last
  const made: Call = {
    id,
    target,
    revision: client.revision.id,
    startedAt: Date.now(),
    state: 'waiting',
    log: [],
    ...more,
  }
  calls.change((all) => [made, ...all].slice(0, MOST_KEPT))
  return id
}

function patch(id: number, change: Partial<Call>): void {
  calls.change((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))
}

const fresh = new Map<number, Progress>()

/** However often a server tells how far it is, it is drawn once a frame. */
function showSoon(id: number, progress: Progress): void {
  if (fresh.size === 0)
    requestAnimationFrame(() => {
      const shown = new Map(fresh)
      fresh.clear()
      calls.change((all) =>
        all.map((one) => (shown.has(one.id) ? { ...one, progress: shown.get(one.id) ?? progress } : one)),
      )
    })
  fresh.set(id, progress)
}

type Work = (signal: AbortSignal) => Promise<{ readonly [name: string]: unknown }>

/** What goes on already has no need of room, and knows itself how long it took. */
async function carryOut(id: number, work: Work, lasted?: () => Promise<number>): Promise<void> {
  const stop = new AbortController()
  stops.set(id, stop)
  const hear = (notification: { method: string; params: unknown }) => {
    if (notification.method !== 'notifications/message') return
    calls.change((all) =>
      all.map((one) =>
        one.id === id ? { ...one, log: [...one.log, notification.params].slice(-MOST_LOGGED) } : one,
      ),
    )
  }
  if (lasted === undefined) await room()
  const began = performance.now()
  const took = async () => (await lasted?.()) ?? performance.now() - began
  notificationHearers.add(hear)
  try {
    stop.signal.throwIfAborted()
    patch(id, { state: 'running' })
    const result = await work(stop.signal)
    patch(id, { state: 'done', result, ms: await took(), tokens: weightOf(result) })
  } catch (error) {
    patch(id, { ...failureOf(error, stop.signal.aborted), ms: await took() })
  } finally {
    notificationHearers.delete(hear)
    stops.delete(id)
    if (lasted === undefined) leave()
  }
}

function failureOf(error: unknown, aborted: boolean): Partial<Call> {
  if (aborted) return { state: 'cancelled' }
  const { message, code, data } = error as { message: string; code?: number; data?: unknown }
  return {
    state: 'failed',
    error: { message, ...(code !== undefined && { code }), ...(data !== undefined && { data }) },
  }
}

interface Doing {
  readonly client: Client
  readonly id: number
  readonly signal: AbortSignal
}

function perform(
  doing: Doing,
  target: Target,
  asTask: boolean,
): Promise<{ readonly [name: string]: unknown }> {
  const { client, id, signal } = doing
  const options = { signal, onProgress: (progress: Progress) => showSoon(id, progress) }
  if (target.kind === 'resource') return client.read(target.name, options)
  if (target.kind === 'prompt') return client.prompt(target.name, target.args, options)
  return asTask ? startTask(doing, target) : client.callTool(target.name, target.args, options)
}

async function startTask(
  doing: Doing,
  { name, args }: Extract<Target, { kind: 'tool' }>,
): Promise<{ readonly [name: string]: unknown }> {
  const { client, id, signal } = doing
  const task = await client.tasks.start(name, args, {
    signal,
    onProgress: (progress) => showSoon(id, progress),
  })
  if (task.taskId === undefined) return task.result()
  patch(id, { taskId: task.taskId })
  rememberTask({
    taskId: task.taskId,
    endpoint: place(),
    revision: client.revision.id,
    tool: name,
    args,
    startedAt: Date.now(),
    status: 'working',
  })
  return follow(doing, task.taskId)
}

/** Which server a task is at: others may be at the same address some other day. */
function place(): string {
  const { endpoint = '', server } = hello.value ?? {}
  return `${server?.name} ${endpoint}`
}

/** From the beginning of a task, which was on another page, to its end, as its server tells or as it is seen here. */
async function lasted(client: Client, { taskId, startedAt }: KnownTask): Promise<number> {
  const seen = Date.now() - startedAt
  const { createdAt = '', lastUpdatedAt = '' } = await client.tasks
    .get(taskId)
    .catch((): Partial<TaskState> => ({}))
  const told = Date.parse(lastUpdatedAt) - Date.parse(createdAt)
  return Number.isNaN(told) ? seen : told
}

const LOOK_MS = 1000

/** Waits for a task, and looks now and then how it stands. */
async function follow(
  { client, signal }: Doing,
  taskId: string,
): Promise<{ readonly [name: string]: unknown }> {
  const look = async () => {
    const { status, statusMessage } = await client.tasks.get(taskId, { signal })
    noteTask(taskId, status, statusMessage)
  }
  const clock = setInterval(() => void look().catch(() => {}), LOOK_MS) // The result tells what is wrong.
  try {
    const result = await client.tasks.result(taskId, { signal })
    noteTask(taskId, 'completed')
    return result
  } catch (error) {
    await look().catch(() =>
      noteTask(taskId, signal.aborted ? 'cancelled' : 'failed', (error as Error).message),
    )
    throw error
  } finally {
    clearInterval(clock)
  }
}
