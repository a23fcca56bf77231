import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Row } from '../../src/databases/database.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import { LineProcess } from '../setup/process.ts'
import { SCRIPT } from './bossman.ts'
import { createFolder, openFile } from './folder.ts'

const KILLS = 18
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
type Acknowledged = Map<string, Said>

interface Said {
  readonly description: string
  readonly tried?: true
  readonly done?: true
  readonly claimedBy?: string
  readonly deleted?: true
}

it(`loses nothing it acknowledged when it is killed ${KILLS} times while it writes, and leaves nothing half done`, async () => {
  const path = join(createFolder(), 'tasks.db')
  const acknowledged: Acknowledged = new Map()
  for (let round = 0; round < KILLS; round++) await writeUntilKilled(path, round, acknowledged)

  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS / 3)
  const database = openFile(path)
  const rows = await database.query('SELECT * FROM task_list')
  const found = new Map(rows.map((row) => [String(row['id']), row]))
  expect([...acknowledged].filter(([id, said]) => !holds(found.get(id), said))).toEqual([])
  const count = async (sql: string) =>
    (await database.query(`SELECT count(*) AS count FROM ${sql}`))[0]?.['count']
  // Whoever works on a task has it until some time; the last thing in its history is the last that was done to it.
  expect(await count('task_list WHERE (claimed_by IS NULL) <> (claimed_until IS NULL)')).toBe(0)
  expect(await count("task_list WHERE claimed_by IS NOT NULL AND status <> 'in_progress'")).toBe(0)
  expect(
    await count(`task_list t WHERE entry IS NOT (
      SELECT entry FROM task_history h WHERE h.task = t.id ORDER BY h.number DESC LIMIT 1)`),
  ).toBe(0)
  expect(await count("task_words WHERE task_words MATCH 'round'")).toBe(
    await count('task_list WHERE deleted_at IS NULL'),
  )
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await database.close()
  const told = [...acknowledged.values()]
  const [done, claimed, deleted] = [
    told.filter((one) => one.done).length,
    told.filter((one) => one.claimedBy).length,
    told.filter((one) => one.deleted).length,
  ]
  console.info(
    `killed ${KILLS} times: ${told.length} tasks, ${done} completions, ${claimed} claims and ${deleted} deletions were acknowledged, none is lost`,
  )
})

function holds(row: Row | undefined, { description, done, claimedBy, deleted }: Said): boolean {
  return (
    row?.['description'] === description &&
    (done === undefined || row['status'] === 'done') &&
    (claimedBy === undefined || row['claimed_by'] === claimedBy) &&
    (deleted === undefined || row['deleted_at'] !== null)
  )
}

async function writeUntilKilled(path: string, round: number, acknowledged: Acknowledged): Promise<void> {
  const server = new LineProcess(SCRIPT, { args: ['--store', `sqlite:${path}`] })
  onTestFinished(() => server.kill())
  // Something may have been done to one that was sent before, and nobody was told.
  const known = [...acknowledged].filter(([, said]) => !said.tried).map(([id]) => id)
  for (const id of known) acknowledged.set(id, { description: '', ...acknowledged.get(id), tried: true })
  const sent = calls(round, known)
  const messages = sent.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  server.write([...HANDSHAKE, ...messages].map((message) => `${JSON.stringify(message)}\n`).join(''))
  const hear = (line: string) => note(line, acknowledged, sent)
  // Two of three are killed after something was acknowledged, however slow the machine is; the third at any moment.
  if (round % 3 !== 0) await hearFirst(server, hear)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
  await server.kill()
  // What lay complete in the pipe was said before the end.
  for (const line of server.lines.takeAll()) hear(line)
}

interface Sent {
  readonly name: string
  readonly arguments: { readonly [name: string]: unknown }
}

const DEEDS = ['complete_task', 'claim_task', 'delete_task'] as const

/** New tasks, or in every other round what is done to old ones, each once. */
function calls(round: number, known: readonly string[]): readonly Sent[] {
  if (known.length === 0)
    return Array.from({ length: MAX_CALLS }, (_, index) => ({
      name: 'create_task',
      arguments: { description: `round ${round}, task ${index}` },
    }))
  return known.map((id, index) => {
    const name = DEEDS[index % DEEDS.length] ?? 'complete_task'
    return { name, arguments: { id, ...(name === 'claim_task' && { agent: `agent ${round}` }) } }
  })
}

async function hearFirst(server: LineProcess, hear: (line: string) => boolean): Promise<void> {
  for (let heard = false; !heard; ) {
    const line = await server.lines.next()
    if (line === undefined) throw new Error(`it has ended by itself: ${server.stderr}`)
    heard = hear(line)
  }
}

/** A line that was cut off acknowledges nothing; every answer to a call must be a task. */
function note(line: string, acknowledged: Acknowledged, sent: readonly Sent[]): boolean {
  const answer = parseAnswer(line)
  if (typeof answer?.id !== 'number') return false
  const { id, description, claimedBy } = answer.result?.structuredContent ?? {}
  if (id === undefined || description === undefined) throw new Error(`no task was acknowledged: ${line}`)
  const name = sent[answer.id]?.name
  acknowledged.set(id, {
    description,
    ...(name !== 'create_task' && { tried: true }),
    ...(name === 'complete_task' && { done: true }),
    ...(name === 'claim_task' && claimedBy !== undefined && { claimedBy }),
    ...(name === 'delete_task' && { deleted: true }),
  })
  return true
}

interface Answer {
  readonly id?: string | number
  readonly result?: { readonly structuredContent?: Partial<Task> }
}

function parseAnswer(line: string): Answer | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
