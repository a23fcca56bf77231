import { expect, it } from 'vitest'
import { readEvents } from './events.ts'

it.each([
  ['comments', ':\n'],
  ['events', 'data: x\n\n'],
])('%s that come without a pause leave others their turn', async (_what, text) => {
  const [chunks, chunk] = [100, new TextEncoder().encode(text.repeat(1000))]
  let sent = 0
  const body = async function* () {
    for (; sent < chunks; sent++) yield chunk
  }
  let sentBefore = chunks
  setImmediate(() => {
    sentBefore = sent
  })
  let heard = 0
  for await (const { data } of readEvents(body(), { maxMessageBytes: 1_000_000 }))
    if (data === 'x') heard += 1
  expect(heard).toBe(text.startsWith('data') ? chunks * 1000 : 0)
  expect(sentBefore).toBeLessThan(chunks)
})
