import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LineProcess } from '../setup/process.ts'
import { createFolder } from './desk.ts'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')
const KILLS = 15
const CALLS = 400

/** Long enough that a write of it is more than one step for any system; every line says which edit it is from. */
const page = (edit: number) => `<${edit}>${' '.repeat(90)}\n`.repeat(3000)

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

/** Each edit goes through the whole file, which is copied over the copy before, and each move gives another its next name. */
function calls(edit: number, move: number): readonly object[] {
  return Array.from({ length: CALLS }, (_, index) => {
    const edits = [{ oldText: `<${edit + index}>`, newText: `<${edit + index + 1}>`, all: true }]
    const [from, to] = [`moved-${move + index}.txt`, `moved-${move + index + 1}.txt`]
    return [
      {
        id: `edit ${edit + index + 1}`,
        params: { name: 'edit_file', arguments: { path: 'edited.txt', edits } },
      },
      {
        id: `copy ${edit + index + 1}`,
        params: {
          name: 'copy_file',
          arguments: { from: 'edited.txt', to: 'copied.txt', overwrite: true },
        },
      },
      { id: `move ${move + index + 1}`, params: { name: 'move_file', arguments: { from, to } } },
    ]
  })
    .flat()
    .map((call) => ({ jsonrpc: '2.0', method: 'tools/call', ...call }))
}

it(`leaves the old file or the new one, and what it acknowledged, when it is killed ${KILLS} times`, async () => {
  const root = createFolder({ 'edited.txt': page(0), 'copied.txt': page(0), 'moved-0.txt': 'moved' })
  let [edit, move, acknowledged] = [0, 0, 0]
  for (let round = 0; round < KILLS; round++) {
    const lines = await callUntilKilled(root, calls(edit, move), round)
    const told = (verb: string) =>
      Math.max(
        0,
        ...lines.map((line) =>
          Number(new RegExp(`"id":"${verb} (\\d+)".*"isError":false`).exec(line)?.[1] ?? 0),
        ),
      )
    acknowledged += lines.filter((line) => line.includes('"isError":false')).length
    const text = readFileSync(join(root, 'edited.txt'), 'utf8')
    edit = Number(/^<(\d+)>/.exec(text)?.[1])
    expect(text === page(edit), `round ${round}: a mixture`).toBe(true)
    expect(edit).toBeGreaterThanOrEqual(told('edit'))
    const copy = readFileSync(join(root, 'copied.txt'), 'utf8')
    const copied = Number(/^<(\d+)>/.exec(copy)?.[1])
    expect(copy === page(copied), `round ${round}: a mixture was copied`).toBe(true)
    expect(copied).toBeGreaterThanOrEqual(told('copy'))
    const names = readdirSync(root).filter((name) => !/^(edited|copied)\.txt$|^\.perigee-.*\.tmp$/.test(name))
    expect(names).toEqual([expect.stringMatching(/^moved-\d+\.txt$/)])
    move = Number(/\d+/.exec(names[0] ?? '')?.[0])
    expect(move).toBeGreaterThanOrEqual(told('move'))
  }
  expect(acknowledged).toBeGreaterThan(KILLS)
  console.info(
    `killed ${KILLS} times, ${acknowledged} edits, copies and moves were acknowledged, none is lost or mixed`,
  )
})

async function callUntilKilled(root: string, messages: readonly object[], round: number) {
  const server = new LineProcess(CCMCP, { args: ['--full', '--root', root, '--log-level', 'off'] })
  onTestFinished(() => server.kill())
  server.write([...HANDSHAKE, ...messages].map((message) => `${JSON.stringify(message)}\n`).join(''))
  const lines: string[] = []
  // Two of three are killed after something was acknowledged, however slow the machine is; the third at any moment.
  while (round % 3 !== 0 && !lines.at(-1)?.includes('"id":"move')) {
    const line = await server.lines.next()
    if (line === undefined) throw new Error(`it has ended by itself: ${server.stderr}`)
    lines.push(line)
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
  await server.kill()
  return [...lines, ...server.lines.takeAll()]
}
