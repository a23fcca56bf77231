import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')

it('ends a call that takes longer than an operator wants', async () => {
  const args = [PERIGEE, 'serve', '--stdio', '--timeout', '1']
  await using client = await connect({ command: process.execPath, args })
  expect(await client.callTool('countdown', { seconds: 3600 })).toMatchObject({
    isError: true,
    content: [{ text: 'Timed out: the tool countdown took longer than 1000 ms (--timeout)' }],
  })
})

it.each(['0', 'soon', '-1'])('does not take %j for a time', async (seconds) => {
  const child = new LineProcess(PERIGEE, { args: ['serve', '--stdio', `--timeout=${seconds}`] })
  try {
    expect(await child.end()).not.toBe(0)
    expect(child.stderr).toContain('timeout: expected')
  } finally {
    await child.kill()
  }
})
