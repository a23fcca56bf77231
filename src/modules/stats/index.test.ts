import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { stats } from './index.ts'

it('counts what each tool was called for, and what nobody has is not counted', async () => {
  const run = ({ fail }: { fail?: boolean }) => {
    if (fail) throw new Error('as asked')
    return 'done'
  }
  const server = defineServer({ name: 's', version: '1', modules: [stats()], tools: [{ name: 'work', run }] })
  const to = talk(server, '2025-11-25')
  await to.ask('tools/call', { name: 'work', arguments: {} })
  await to.ask('tools/call', { name: 'work', arguments: { fail: true } })
  await to.ask('tools/call', { name: 'none', arguments: {} })
  const { result } = await to.ask('resources/read', { uri: 'stats://tools' })
  const [{ text }] = (result as { contents: [{ text: string }] }).contents
  expect(JSON.parse(text)).toEqual({
    since: expect.stringMatching(/^\d{4}-/),
    tools: { work: { calls: 2, errors: 1, meanMs: expect.any(Number), longestMs: expect.any(Number) } },
  })
})
