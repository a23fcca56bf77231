import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { createTestClient } from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'

const STUBBORN = { command: process.execPath, args: [join(import.meta.dirname, 'stubborn.mjs')] }

let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve-gateway.ts'))
})

afterAll(() => rmSync(dirname(script), { recursive: true }))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function pidsOf(client: {
  callTool(name: string): Promise<{ content: readonly object[] }>
}): Promise<number[]> {
  // On a busy machine a process takes longer to begin than a server waits for it.
  const { content } = await vi.waitFor(() => client.callTool('pids'), { timeout: 20_000, interval: 100 })
  return (content[0] as { text: string }).text.split(' ').map(Number)
}

const gone = (pids: readonly number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 20_000, interval: 100 })

describe('the processes of an upstream', { timeout: 60_000 }, () => {
  it('are ended with the server, and so is what they have started', async () => {
    const noted: string[] = []
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules: [upstream('behind', STUBBORN)],
      observe: (event) => void (event.kind === 'noted' && noted.push(event.message)),
      reports: true,
    })
    const pids = await pidsOf(await createTestClient(gateway))
    expect(pids.filter(isAlive)).toHaveLength(2)
    expect(noted).toContain('behind: I am here to stay')
    await gateway.close()
    await gone(pids)
  })

  it('are ended when the server is killed', async () => {
    const command = { command: process.execPath, args: [script, STUBBORN.command, ...STUBBORN.args] }
    const client = await connect(command)
    const pids = await pidsOf(client)
    const parent = spawn('ps', ['-o', 'ppid=', '-p', String(pids[0])])
    let said = ''
    for await (const chunk of parent.stdout) said += chunk
    process.kill(Number(said), 'SIGKILL')
    await client.close().catch(() => {})
    await gone(pids)
  })
})
