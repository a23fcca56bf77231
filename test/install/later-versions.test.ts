import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'
import { planAll } from '../../src/cli/install/plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-later-'))
afterAll(() => rmSync(folder, { recursive: true }))

const server = { name: 'moon', command: 'node', args: ['moon.js'], env: {} }

/** What would become of a file of a project. */
async function planned(id: string, name: string, text: string): Promise<string> {
  const host = INSTALL_HOSTS.find((one) => one.id === id)
  const file = host?.project?.find(({ path }) => path === name)
  if (host === undefined || file === undefined) throw new Error(`${id} has no ${name}`)
  const path = join(folder, name)
  writeFileSync(path, text)
  const [plan] = await planAll([[host, { ...file, path }]], { server, replace: false })
  expect(readFileSync(path, 'utf8')).toBe(text)
  return plan !== undefined && 'after' in plan ? plan.after : `${plan?.status}`
}

it('a file of opencode 2 keeps its servers where they are', async () => {
  const after = await planned('opencode', 'opencode.json', '{"mcp":{"timeout":5,"servers":{}}}')
  expect(JSON.parse(after).mcp).toEqual({
    timeout: 5,
    servers: { moon: { type: 'local', command: ['node', 'moon.js'] } },
  })
})

it('a server that is called servers is no such place', async () => {
  const after = await planned(
    'opencode',
    'opencode.json',
    '{"mcp":{"servers":{"type":"local","command":["x"]}}}',
  )
  expect(Object.keys(JSON.parse(after).mcp)).toEqual(['servers', 'moon'])
})

it('Crush is told by its older file where there is one', async () => {
  const after = await planned('crush', 'crush.json', '{"mcp":{}}')
  expect(JSON.parse(after).mcp).toEqual({ moon: { type: 'stdio', command: 'node', args: ['moon.js'] } })
})
