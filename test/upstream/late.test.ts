import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient } from '../../src/index.ts'
import { AWAITED, MISSING } from '../../src/kernel/index.ts'
import { changeBook, readBook } from '../../src/modules/upstream/pins/pin-file.ts'
import { perigee } from '../cli/run.ts'
import { endAfterEach, ending, gatewayTo, lookedAt, namesOf, textOf } from './gateway-of.ts'

endAfterEach()

const here = (file: string) => join(import.meta.dirname, file)
let sign = ''
let pins = ''

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-late-'))
  sign = join(folder, 'go')
  pins = join(folder, 'pins.json')
  ending.push(() => rmSync(folder, { recursive: true }))
})

const late = () => ({ command: process.execPath, args: [here('late-upstream.mjs'), sign] })

/** As if the tool had been seen before, saying this of itself. */
async function pinned(description: string | undefined): Promise<void> {
  const gateway = gatewayTo({ late: { command: process.execPath, args: [here('quiet.mjs')], pins } })
  await gateway.start()
  await lookedAt(gateway)
  await gateway.close()
  if (description === undefined) return
  const tool = { hash: 'sha256:other', approved: '', contract: { name: 'say', description } }
  await changeBook(pins, () => ({ late: { say: tool } }))
}

it('lists say how many servers they wait for, until those are there', async () => {
  const gateway = gatewayTo({ late: late() })
  await gateway.start()
  const client = await createTestClient(gateway)
  const list = () => client.request('tools/list')
  expect(await list()).toMatchObject({ tools: [], _meta: { [AWAITED]: 1 } })
  writeFileSync(sign, '')
  await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['say']), { timeout: 10_000 })
  expect((await list())['_meta']).not.toHaveProperty(AWAITED)
})

it('whoever calls a tool of a server that is still awaited is told so, and when it is given up', async () => {
  const ready = defineServer({ name: 'r', version: '1', tools: [{ name: 'go', run: () => '' }] })
  const gateway = gatewayTo({ late: late(), ready: { server: ready } })
  await gateway.start()
  const client = await createTestClient(gateway)
  const told = await client.callTool('late_say')
  expect(told).toMatchObject({ isError: true, _meta: { [MISSING]: { late: textOf(told) } } })
  expect(textOf(told)).toMatch(
    /^late is still being connected to, for \d+ s .* given up .* for 60 s\. Try again/,
  )
  await expect(client.callTool('ready_say')).rejects.toThrow('Unknown tool: ready_say')
  expect((await client.request('tools/list'))['_meta']).not.toHaveProperty(MISSING)
  writeFileSync(sign, '')
  await vi.waitFor(async () => expect(textOf(await client.callTool('late_say'))).toBe('said'), {
    timeout: 10_000,
  })
  await expect(client.callTool('late_none')).rejects.toThrow('Unknown tool: late_none')
})

it('a server that cannot be reached is not waited for', async () => {
  const gateway = gatewayTo({ none: { command: join(sign, 'none') } })
  await gateway.start()
  await lookedAt(gateway)
  const client = await createTestClient(gateway)
  expect((await client.request('tools/list'))['_meta']).not.toHaveProperty(AWAITED)
})

it('tools that were seen before are listed at once, and their calls wait for their server', async () => {
  await pinned(undefined)
  const gateway = gatewayTo({ late: { ...late(), pins } })
  await gateway.start()
  const client = await createTestClient(gateway)
  expect(await namesOf(client)).toEqual(['say'])
  const called = client.callTool('say')
  writeFileSync(sign, '')
  expect(textOf(await called)).toBe('said')
})

it('a tool that has become another meanwhile is not called, though it was listed', async () => {
  await pinned('says nothing but the truth')
  const { hashContract } = await import('../../src/contract/tool-contract.ts')
  await changeBook(pins, ({ late: { say } = {} }) =>
    say === undefined ? {} : { late: { say: { ...say, hash: hashContract(say.contract) } } },
  )
  const gateway = gatewayTo({ late: { ...late(), pins } })
  await gateway.start()
  const client = await createTestClient(gateway)
  expect(await namesOf(client)).toEqual(['say'])
  const called = client.callTool('say')
  writeFileSync(sign, '')
  const refused = await called
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toContain('say has changed since it was approved')
  expect(await namesOf(client)).toEqual([])
  await vi.waitFor(() => expect(readBook(pins)['late']?.['say']?.changed).toBeDefined())
})

it('commands that come and go wait for what is to come', { timeout: 60_000 }, async () => {
  const gateway = [
    '--',
    process.execPath,
    here('../../dist/cli/bin/perigee.js'),
    'gateway',
    '--',
    late().command,
  ]
  const asked = [
    perigee(['call', 'say', ...gateway, ...late().args]),
    perigee(['tools', ...gateway, ...late().args]),
  ]
  setTimeout(() => writeFileSync(sign, ''), 3500)
  const [called, listed] = await Promise.all(asked)
  expect(called).toMatchObject({ status: 0, stdout: 'said\n' })
  expect(listed).toMatchObject({ status: 0, stdout: expect.stringContaining('say()') })
})
