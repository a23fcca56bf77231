import { expect, it } from 'vitest'
import { type BodySource, ReceivedBody } from './received-body.ts'

/** A body of so many bytes, and what it has asked of where it comes from. */
function receive(length: number) {
  const asked: string[] = []
  const source: BodySource = {
    pause: () => void asked.push('pause'),
    resume: () => void asked.push('resume'),
    drop: () => void asked.push('drop'),
  }
  const body = new ReceivedBody(source)
  body.add(new Uint8Array(length))
  return { body, asked }
}

it('one that is longer than it may be is not gone on with', async () => {
  const { body, asked } = receive(11)
  await expect(body.readAll(10)).rejects.toMatchObject({ reason: 'too-much' })
  expect(asked).toEqual(['drop'])
})

it("the connection of one that has come whole is nobody's to drop, for another request may be on it", async () => {
  const { body, asked } = receive(11)
  body.end()
  await expect(body.readAll(10)).rejects.toMatchObject({ reason: 'too-much' })
  expect(asked).toEqual([])
})
