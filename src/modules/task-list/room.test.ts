import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import type { Budgets, JsonObject } from '../../kernel/index.ts'
import { taskList } from './index.ts'

async function open(budgets: Partial<Budgets>) {
  const modules = [taskList()]
  const server = defineServer({ name: 's', version: '1', budgets, modules })
  const client = await createTestClient(server)
  const use = async (tool: string, args: JsonObject) => {
    const { structuredContent, isError, content } = await client.callTool(tool, args)
    const [block] = content as readonly { readonly text: string }[]
    if (isError === true) throw new Error(block?.text)
    return structuredContent as { readonly id: string }
  }
  return { use, usage: server.usage }
}

const HELP = 'Delete tasks that nobody needs, or have the server keep them in sqlite:PATH instead of memory:'

it('keeps so many tasks in memory and no more, also when they come at once', async () => {
  const { use, usage } = await open({ maxListedTasks: 3 })
  const created = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => use('create_task', { description: String(index) })),
  )
  const kept = created.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const reasons = created.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  expect(kept).toHaveLength(3)
  expect(reasons[0]).toBe(
    `The task list is kept in memory and full: at most 3, got 4 (--max-listed-tasks). ${HELP}`,
  )
  expect(usage.read('maxListedTasks')).toBe(3)
  await use('update_task', { id: kept[0]?.id, description: 'one that is there can still be changed' })
  await use('complete_task', { id: kept[0]?.id })
  await use('delete_task', { id: kept[0]?.id })
  expect(usage.read('maxListedTasks')).toBe(2)
  await use('create_task', { description: 'there is room again' })
})

it('counts what a description becomes for those who search, which may be longer by far', async () => {
  const { use, usage } = await open({ maxTaskListBytes: 20_000 })
  /** Without spaces, each two of them are a word. */
  const letters = (count: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('')
  await use('create_task', { description: letters(300) })
  expect(usage.read('maxTaskListBytes')).toBeGreaterThan(300 * 3 + 299 * 7)
  await expect(use('create_task', { description: letters(2000) })).rejects.toThrow('--max-task-list')
})

it('keeps so many bytes of tasks in memory and no more, however they come', async () => {
  const { use, usage } = await open({ maxTaskListBytes: 5000 })
  const { id } = await use('create_task', { description: 'я'.repeat(1500) })
  const other = await use('create_task', { description: 'short' })
  expect(usage.read('maxTaskListBytes')).toBeGreaterThan(3300)
  await expect(use('create_task', { description: 'x'.repeat(2000) })).rejects.toThrow(
    /in memory and full: at most 5000 bytes, got \d+ \(--max-task-list\)\. Delete tasks/,
  )
  const grow = () => use('update_task', { id: other.id, description: 'x'.repeat(2000) })
  await expect(grow()).rejects.toThrow(HELP)
  await use('update_task', { id, description: 'shorter' })
  await grow()
  await use('delete_task', { id })
  await use('delete_task', { id: other.id })
  expect(usage.read('maxTaskListBytes')).toBe(0)
})
