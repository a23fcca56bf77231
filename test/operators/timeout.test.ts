import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'countdown',
    arguments: { seconds: 3600 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

it('ends a call that takes longer than an operator wants', async () => {
  const child = new LineProcess(PERIGEE, { args: ['serve', '--stdio', '--timeout', '1'] })
  try {
    child.write(`${JSON.stringify(CALL)}\n`)
    expect(JSON.parse((await child.lines.next()) ?? '')).toMatchObject({
      id: 1,
      result: {
        isError: true,
        content: [{ text: 'Timed out: the tool countdown took longer than 1000 ms' }],
      },
    })
    expect(await child.end()).toBe(0)
  } finally {
    await child.kill()
  }
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
