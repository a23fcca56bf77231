import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { PERIGEE, perigee } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-card-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a card has the hash that perigee lock writes, and nothing of it is loaded before somebody asks', async () => {
  const log = join(folder, 'modules')
  const hook = pathToFileURL(join(import.meta.dirname, '..', 'bench', 'count-modules.mjs')).href
  const serving = spawn(process.execPath, [PERIGEE, 'serve', 'primer', '--http', '--port', '0'], {
    env: { ...process.env, MODULE_LOG: log, NODE_OPTIONS: `--import=${hook}` },
  })
  const lines = createInterface({ input: serving.stdout })
  let url: string | undefined
  for await (const line of lines) {
    url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line)?.[0]
    if (url !== undefined) break
  }
  const loaded = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((file) => /parts\/documents/.test(file))
  await fetch(`${url}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect(loaded()).toEqual([])
  const card = (await (await fetch(`${url}/server-card`)).json()) as { _meta: { 'perigee/lock': string } }
  expect(loaded()).toHaveLength(1)
  const { stdout } = await perigee(['lock', 'primer', '--json', '--file', join(folder, 'primer.lock')])
  expect(card._meta['perigee/lock']).toBe(JSON.parse(stdout).hash)
  serving.kill()
  await once(serving, 'exit')
})
