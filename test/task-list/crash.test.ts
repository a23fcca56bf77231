import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Task } from '../../src/modules/task-list/task.ts'
import { LineProcess } from '../setup/process.ts'
import { SCRIPT } from './bossman.ts'
import { createFolder, openFile } from './folder.ts'

const KILLS = 15
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

interface Acknowledged {
  /** By id, the description. */
  readonly created: Map<string, string>
  readonly completed: Set<string>
}

it(`loses nothing it acknowledged when it is killed ${KILLS} times while it writes`, async () => {
  const path = join(createFolder(), 'tasks.db')
  const acknowledged: Acknowledged = { created: new Map(), completed: new Set() }
  for (let round = 0; round < KILLS; round++) await writeUntilKilled(path, round, acknowledged)

  const { created, completed } = acknowledged
  expect(created.size).toBeGreaterThanOrEqual(KILLS / 3)
  const database = openFile(path)
  const rows = await database.query('SELECT id, description, status FROM task_list')
  const found = new Map(rows.map((row) => [String(row['id']), row]))
  const lost = [...created].filter(([id, description]) => found.get(id)?.['description'] !== description)
  expect(lost).toEqual([])
  expect([...completed].filter((id) => found.get(id)?.['status'] !== 'done')).toEqual([])
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await database.close()
  console.info(
    `killed ${KILLS} times: ${created.size} tasks and ${completed.size} completions were acknowledged, none is lost`,
  )
})

async function writeUntilKilled(path: string, round: number, acknowledged: Acknowledged): Promise<void> {
  const server = new LineProcess(SCRIPT, { args: ['--store', `sqlite:${path}`] })
  onTestFinished(() => server.kill())
  const known = [...acknowledged.created.keys()].filter((id) => !acknowledged.completed.has(id))
  server.write(
    [...HANDSHAKE, ...calls(round, known)].map((message) => `${JSON.stringify(message)}\n`).join(''),
  )
  // Two of three are killed after something was acknowledged, however slow the machine is; the third at any moment.
  if (round % 3 !== 0) await noteFirst(server, acknowledged)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
  await server.kill()
  // What lay complete in the pipe was said before the end.
  for (const line of server.lines.takeAll()) note(line, acknowledged)
}

/** New tasks, and in between the completion of old ones. */
function calls(round: number, known: readonly string[]): readonly object[] {
  return Array.from({ length: MAX_CALLS }, (_, index) => {
    const old = index % 4 === 0 ? known[index / 4] : undefined
    const params =
      old === undefined
        ? { name: 'create_task', arguments: { description: `round ${round}, task ${index}` } }
        : { name: 'complete_task', arguments: { id: old } }
    return { jsonrpc: '2.0', id: index, method: 'tools/call', params }
  })
}

async function noteFirst(server: LineProcess, acknowledged: Acknowledged): Promise<void> {
  const before = acknowledged.created.size + acknowledged.completed.size
  while (acknowledged.created.size + acknowledged.completed.size === before) {
    const line = await server.lines.next()
    if (line === undefined) throw new Error(`it has ended by itself: ${server.stderr}`)
    note(line, acknowledged)
  }
}

/** A line that was cut off acknowledges nothing; every answer to a call must be a task. */
function note(line: string, { created, completed }: Acknowledged): void {
  const answer = parseAnswer(line)
  if (typeof answer?.id !== 'number') return
  const { id, description, status } = answer.result?.structuredContent ?? {}
  if (id === undefined || description === undefined) throw new Error(`no task was acknowledged: ${line}`)
  if (status === 'done') completed.add(id)
  else created.set(id, description)
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
