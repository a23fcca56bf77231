import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DevChild } from '../../src/cli/dev/child.ts'
import { MemoryStore } from '../../src/stores/memory.ts'

const nap = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)

it('what is said to a process that has just been killed is lost with it, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-child-'))
  const [, script = ''] = process.argv
  try {
    process.argv[1] = join(folder, 'idle.mjs')
    writeFileSync(process.argv[1], 'process.on("message", () => {})')
    const child = new DevChild({ args: [], environment: {}, store: new MemoryStore(), ends: () => {} })
    child.kill()
    // Nothing is heard of its end meanwhile, so that it is taken for alive.
    while (!/\) Z /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))) nap()
    child.tell({ perigee: 'describe' })
    expect(await child.ended).toBe('SIGKILL')
  } finally {
    process.argv[1] = script
    rmSync(folder, { recursive: true })
  }
})
