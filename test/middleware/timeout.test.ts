import { expect, it } from 'vitest'
import { timeout } from '../../src/middleware/timeout.ts'
import { ScopedSite } from '../auth/site.ts'

/** A tool that waits, by way of a middleware inside the one under test. */
const waits = [timeout({ ms: 1 }), () => new Promise<never>(() => {})]

it('a tool that takes too long is answered for without a session', async () => {
  await using site = await ScopedSite.open({}, waits)
  const answer = await site.modern('tools/call', { name: 'hello' })
  expect(answer).toMatchObject({ status: 200, body: { result: { isError: true } } })
})
