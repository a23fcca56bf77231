import { expect, it } from 'vitest'
import { openAs } from '../../../test/setup/caller.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { primer } from './index.ts'

const create = (mostLogged?: number) =>
  defineServer({ name: 'primer', version: '1', modules: [primer({ mostLogged })] })

async function readLog(server: ReturnType<typeof create>): Promise<string> {
  const { result } = await openAs(server).ask('resources/read', { uri: 'file:///logs/app.log' })
  const [contents] = (result?.['contents'] ?? []) as readonly { readonly text: string }[]
  return contents?.text ?? ''
}

it('has no line that a caller wrote', async () => {
  const server = create()
  await openAs(server).ask('tools/list\n2026-01-01 00:00:00 INFO All is well')
  const forged = (await readLog(server)).split('\n').filter((line) => line.endsWith(' INFO All is well'))
  expect(forged).toHaveLength(0)
})

it('stays small, whatever callers send', async () => {
  const server = create(10_000)
  const caller = openAs(server)
  for (let times = 0; times < 50; times++) await caller.ask(`no/${'x'.repeat(100_000)}`)
  const log = await readLog(server)
  expect(log.length).toBeLessThanOrEqual(10_000)
  expect(log.length).toBeGreaterThan(5_000)
  expect(server.usage.read('maxActivityBytes')).toBeGreaterThan(5_000)
})
