import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { conversationsOf, parseRecording } from '../../src/recording/format.ts'
import { Recorder } from '../../src/recording/recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-recorder-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = (path: string) => new Recorder(path, { maxBytes: 1e6, now: () => 0, stopped: () => {} })

/** What one run of a command writes to a file. */
function record(path: string, message: object): void {
  const recorder = open(path)
  recorder.write('c1', 'in', { jsonrpc: '2.0', id: 7, ...message })
  recorder.close()
}

it('what is added to a recording is a conversation of its own', () => {
  const path = join(folder, 'added.jsonl')
  for (const method of ['one', 'two', 'three']) record(path, { method })
  expect(conversationsOf(parseRecording(readFileSync(path, 'utf8'))).size).toBe(3)
})

it.each(['none.jsonl', 'empty.jsonl'])(
  'recorders that begin at once have conversations of their own',
  (name) => {
    const path = join(folder, name)
    if (name === 'empty.jsonl') writeFileSync(path, '')
    const recorders = [open(path), open(path), open(path)]
    for (const one of recorders) one.write('c1', 'in', { jsonrpc: '2.0', id: 7, method: 'one' })
    for (const one of recorders) one.close()
    expect(conversationsOf(parseRecording(readFileSync(path, 'utf8'))).size).toBe(3)
  },
)

it('several that write to one file keep within its bytes together', () => {
  const path = join(folder, 'full.jsonl')
  const told: string[] = []
  const options = { maxBytes: 1000, now: () => 0, stopped: (reason: string) => told.push(reason) }
  const recorders = [new Recorder(path, options), new Recorder(path, options)]
  for (let at = 0; at < 20; at++)
    for (const one of recorders) one.write('c1', 'in', { jsonrpc: '2.0', id: at, method: 'one' })
  expect(statSync(path).size).toBeLessThanOrEqual(1000)
  expect(told).toHaveLength(2)
})

it('two recordings of the same are the same', () => {
  const paths = ['same.jsonl', 'other.jsonl'].map((name) => join(folder, name))
  for (const path of paths) record(path, { method: 'one' })
  const [same, other] = paths.map((path) => readFileSync(path, 'utf8'))
  expect(same).toBe(other)
})

it('a line that was cut off is not continued', () => {
  const path = join(folder, 'cut.jsonl')
  writeFileSync(path, '{"time":')
  record(path, { method: 'one' })
  const [cut, line = ''] = readFileSync(path, 'utf8').split('\n')
  expect(cut).toBe('{"time":')
  expect(parseRecording(line)).toHaveLength(1)
})

it('a secret is masked where it is a name, too', () => {
  const path = join(folder, 'names.jsonl')
  record(path, { method: 'one', params: { ghp_abcdefghijklmnopqrstuvwxyz0123456789: 1 } })
  expect(readFileSync(path, 'utf8')).not.toContain('ghp_')
})
