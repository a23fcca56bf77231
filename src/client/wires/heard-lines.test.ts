import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { HeardLines } from './heard-lines.ts'

const LARGE = 'a'.repeat(100_000)
const LIMITS = { maxMessageBytes: 1_000_000 }

/** Hears what a stream says, and what of it was heard. */
function hearAll() {
  const stream = new PassThrough()
  const heard: unknown[] = []
  const hear = (lines: readonly unknown[]) => heard.push(...lines)
  const arriving = { giveWay() {} }
  return { stream, heard, lines: new HeardLines({ stream, limits: LIMITS, arriving, hear }) }
}

it('what comes while a large line waits for its turn stays behind it, though the stream was read on', async () => {
  const { stream, heard, lines } = hearAll()
  stream.emit('data', Buffer.from(`${LARGE}\nbeg`))
  stream.emit('data', Buffer.from('in'))
  stream.emit('data', Buffer.from(`ning\n${LARGE}\nend\n`))
  expect(lines.isWaiting).toBe(true)
  expect(heard).toEqual([])
  await new Promise<void>((resolve) => lines.whenHeard(resolve))
  expect(heard).toEqual([LARGE, 'beginning', LARGE, 'end'])
})

it('a stream is paused while a large line waits, but not where whoever writes has ended', async () => {
  const { stream, lines } = hearAll()
  stream.emit('data', Buffer.from(`${LARGE}\n`))
  expect(stream.isPaused()).toBe(true)
  lines.readOn()
  expect(stream.isPaused()).toBe(false)
  await new Promise<void>((resolve) => lines.whenHeard(resolve))
  stream.emit('data', Buffer.from(`${LARGE}\n`))
  expect(lines.isWaiting).toBe(true)
  expect(stream.isPaused()).toBe(false)
})

it('long batches have a turn each, and nothing after one is heard before', async () => {
  const { stream, heard, lines } = hearAll()
  const long = `[${'1,'.repeat(1500)}1]`
  const said = ['first', '[1]', long, '[2]', ` ${long}`, 'last']
  stream.emit('data', Buffer.from(`${said.join('\n')}\n`))
  expect([heard, lines.isWaiting, stream.isPaused()]).toEqual([said.slice(0, 3), true, true])
  await new Promise<void>((resolve) => lines.whenHeard(resolve))
  expect(heard).toEqual(said)
})
