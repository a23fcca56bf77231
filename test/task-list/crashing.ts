import { expect, onTestFinished } from 'vitest'
import type { Row } from '../../src/databases/database.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import { LineProcess } from '../setup/process.ts'
import { SCRIPT } from './bossman.ts'

const MAX_CALLS = 3000

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

/** What was acknowledged: by id, what the task must say of itself. */
export type Acknowledged = Map<string, Said>

interface Said {
  readonly description: string
  readonly tried?: true
  readonly done?: true
  readonly claimedBy?: string
  readonly priority?: string
  readonly deleted?: true
}

export interface Crash {
  /** Where bossman keeps its tasks. */
  readonly store: string
  readonly kills: number
  /** It lives for up to so long after it was started, or has acknowledged something. */
  readonly lifeMs: number
  /** What else ends with bossman, or before it; then it may answer that its store is away, which acknowledges nothing. */
  readonly engine?: { readonly kill: () => Promise<unknown>; readonly start: () => Promise<unknown> }
}

/** Kills bossman again and again while it writes; gives what it had acknowledged. */
export async function crashOften(crash: Crash): Promise<Acknowledged> {
  const acknowledged: Acknowledged = new Map()
  for (let round = 0; round < crash.kills; round++) await writeUntilKilled(crash, round, acknowledged)
  expect(acknowledged.size).toBeGreaterThanOrEqual(crash.kills / 3)
  return acknowledged
}

type Query = (sql: string) => Promise<readonly Row[]>

/** Everything that was acknowledged is there, and nothing is half done. */
export async function checkKept(acknowledged: Acknowledged, query: Query): Promise<void> {
  const found = new Map((await query('SELECT * FROM task_list')).map((row) => [String(row['id']), row]))
  expect([...acknowledged].filter(([id, said]) => !holds(found.get(id), said))).toEqual([])
  const count = async (sql: string) =>
    Number((await query(`SELECT count(*) AS count FROM ${sql}`))[0]?.['count'])
  // Whoever works on a task has it until some time; the last thing in its history is the last that was done to it.
  expect(await count('task_list WHERE (claimed_by IS NULL) <> (claimed_until IS NULL)')).toBe(0)
  expect(await count("task_list WHERE claimed_by IS NOT NULL AND status <> 'in_progress'")).toBe(0)
  expect(
    await count(`task_list t WHERE entry IS DISTINCT FROM (
      SELECT entry FROM task_history h WHERE h.task = t.id ORDER BY h.number DESC LIMIT 1)`),
  ).toBe(0)
}

/** What was told, for whoever reads the run. */
export function printAcknowledged(acknowledged: Acknowledged): string {
  const told = [...acknowledged.values()]
  const count = (deed: keyof Said) => told.filter((one) => one[deed]).length
  return `${told.length} tasks, ${count('priority')} updates, ${count('done')} completions, ${count('claimedBy')} claims and ${count('deleted')} deletions were acknowledged, none is lost`
}

function holds(row: Row | undefined, said: Said): boolean {
  const { description, done, claimedBy, priority, deleted } = said
  return (
    row?.['description'] === description &&
    (done === undefined || row['status'] === 'done') &&
    (claimedBy === undefined || row['claimed_by'] === claimedBy) &&
    (priority === undefined || row['priority'] === priority) &&
    (deleted === undefined || row['deleted_at'] !== null)
  )
}

async function writeUntilKilled(crash: Crash, round: number, acknowledged: Acknowledged): Promise<void> {
  const { store, engine, lifeMs } = crash
  const server = new LineProcess(SCRIPT, { args: ['--store', store] })
  onTestFinished(() => server.kill())
  // Something may have been done to one that was sent before, and nobody was told.
  const known = [...acknowledged].filter(([, said]) => !said.tried).map(([id]) => id)
  for (const id of known) acknowledged.set(id, { description: '', ...acknowledged.get(id), tried: true })
  const sent = calls(round, known)
  const messages = sent.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  server.write([...HANDSHAKE, ...messages].map((message) => `${JSON.stringify(message)}\n`).join(''))
  const hear = (line: string) => note(line, { acknowledged, sent, mayFail: engine !== undefined })
  // Two of three are killed after something was acknowledged, however slow the machine is; the third at any moment.
  if (round % 3 !== 0) await hearFirst(server, hear)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * lifeMs))
  if (round % 2 === 1) await engine?.kill()
  await server.kill()
  // What lay complete in the pipe was said before the end.
  for (const line of server.lines.takeAll()) hear(line)
  if (round % 2 === 1) await engine?.start()
}

interface Sent {
  readonly name: string
  readonly arguments: { readonly [name: string]: unknown }
}

/** What is done to a task, and what is said of it beside its id. */
const DEEDS: readonly ((round: number) => Sent)[] = [
  () => ({ name: 'complete_task', arguments: {} }),
  (round) => ({ name: 'claim_task', arguments: { agent: `agent ${round}` } }),
  () => ({ name: 'delete_task', arguments: {} }),
  () => ({ name: 'update_task', arguments: { priority: 'urgent' } }),
]

/** New tasks, or in every other round what is done to old ones, each once. */
function calls(round: number, known: readonly string[]): readonly Sent[] {
  if (known.length === 0)
    return Array.from({ length: MAX_CALLS }, (_, index) => ({
      name: 'create_task',
      arguments: { description: `round ${round}, task ${index}` },
    }))
  return known.flatMap((id, index) => {
    const deed = DEEDS[index % DEEDS.length]?.(round)
    return deed === undefined ? [] : [{ ...deed, arguments: { id, ...deed.arguments } }]
  })
}

async function hearFirst(server: LineProcess, hear: (line: string) => boolean): Promise<void> {
  for (let heard = false; !heard; ) {
    const line = await server.lines.next()
    if (line === undefined) throw new Error(`it has ended by itself: ${server.stderr}`)
    heard = hear(line)
  }
}

interface Noting {
  readonly acknowledged: Acknowledged
  readonly sent: readonly Sent[]
  readonly mayFail: boolean
}

/** A line that was cut off acknowledges nothing; every answer to a call must be a task, unless it may fail. */
function note(line: string, { acknowledged, sent, mayFail }: Noting): boolean {
  const answer = parseAnswer(line)
  if (typeof answer?.id !== 'number' || (mayFail && answer.result?.isError === true)) return false
  const { id, description, claimedBy, priority } = answer.result?.structuredContent ?? {}
  if (id === undefined || description === undefined) throw new Error(`no task was acknowledged: ${line}`)
  const name = sent[answer.id]?.name
  acknowledged.set(id, {
    description,
    ...(name !== 'create_task' && { tried: true }),
    ...(name === 'complete_task' && { done: true }),
    ...(name === 'claim_task' && claimedBy !== undefined && { claimedBy }),
    ...(name === 'update_task' && priority !== undefined && { priority }),
    ...(name === 'delete_task' && { deleted: true }),
  })
  return true
}

interface Answer {
  readonly id?: string | number
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: Partial<Task> }
}

function parseAnswer(line: string): Answer | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
