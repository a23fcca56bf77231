import { expect, it } from 'vitest'
import type { Client, RequestOptions } from '../../client/index.ts'
import { AWAITED, type JsonObject, MISSING } from '../../kernel/index.ts'
import type { WaitSubject } from './command.ts'
import { listFrom } from './find.ts'

/** One that stands for others, and says this of itself on one list after the other. */
function gateway(...said: readonly JsonObject[]) {
  const left = [...said]
  const tools = async ({ onPage }: RequestOptions) => {
    onPage?.(left.shift() ?? {}, {})
    return left.length === 0 ? [{ name: 'late_x' }] : []
  }
  const heard: WaitSubject[] = []
  const source = {
    client: { capabilities: { tools: {} }, tools } as unknown as Client, // What is asked for here.
    options: { timeoutMs: 60_000 },
    awaits: (what: WaitSubject) => heard.push(what),
  }
  return { source, heard, left }
}

const GONE = { [MISSING]: { gone: 'gone cannot be reached' } }

it('says that it waits for others once the list has been answered', async () => {
  const { source, heard } = gateway({ [AWAITED]: 2 }, { [AWAITED]: 1, ...GONE }, {})
  expect(await listFrom('tools', source, { wanted: 'late_x' })).toEqual([{ name: 'late_x' }])
  expect(heard).toEqual(['tools/list', 2, 1])
})

it('does not wait for what is of a server that cannot be reached', async () => {
  const { source, left } = gateway({ [AWAITED]: 1, ...GONE }, {})
  expect(await listFrom('tools', source, { wanted: 'gone_x' })).toEqual([])
  expect(left).toHaveLength(1)
})
