import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { serveHttp } from '../../src/index.ts'
import { clientOf, endAfterEach, ending, namesOf } from '../upstream/gateway-of.ts'
import { changedGateway } from './changed-gateway.ts'

endAfterEach()

const KEY = 'k'.repeat(32)
const BEARER = { authorization: `Bearer ${KEY}` }

it('a changed tool is shown and approved by those who have the key of the console, as it was shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-panel-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const gateway = await changedGateway(join(folder, 'pins.json'))
  const client = await clientOf(gateway)
  expect(await namesOf(client)).toEqual(['files_list', 'lost_go'])
  const http = await serveHttp(gateway, {
    port: 0,
    console: { key: KEY },
    greeting: 'none',
    supervise: false,
  })
  ending.push(() => http.close(0))
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, http.url), init)
    const told = (await response.json()) as { readonly hash?: string; readonly approved?: boolean }
    return { status: response.status, ...told }
  }
  const asked = 'upstream=files&tool=read'
  expect((await ask(`/console/change?${asked}`)).status).toBe(401)
  for (const other of ['upstream=files&tool=list', 'upstream=lost&tool=read', 'upstream=none&tool=read', ''])
    expect(await ask(`/console/change?${other}`, { headers: BEARER })).toMatchObject({
      status: 404,
      error: expect.stringContaining('no such tool that has changed'),
    })
  const shown = await ask(`/console/change?${asked}`, { headers: BEARER })
  expect(shown).toMatchObject({
    before: { description: 'reads' },
    after: { description: expect.stringContaining('tells') },
  })
  const approve = (query: string, init: RequestInit = {}) =>
    ask(`/console/approve?${query}`, { method: 'POST', headers: BEARER, ...init })
  expect((await approve(`${asked}&hash=${shown.hash}`, { headers: {} })).status).toBe(401)
  expect((await approve(`${asked}&hash=${shown.hash}`, { method: 'GET' })).status).toBe(405)
  const evil = { ...BEARER, origin: 'https://evil.example' }
  expect(
    (
      await fetch(new URL(`/console/approve?${asked}&hash=${shown.hash}`, http.url), {
        method: 'POST',
        headers: evil,
      })
    ).status,
  ).toBe(403)
  expect((await approve(`${asked}&hash=sha256:0`)).status).toBe(409)
  expect((await approve('upstream=files&tool=toString&hash=')).status).toBe(404)
  expect(await namesOf(client)).toEqual(['files_list', 'lost_go'])
  expect(await approve(`${asked}&hash=${shown.hash}`)).toEqual({ status: 200, approved: true })
  await vi.waitFor(async () => expect(await namesOf(client)).toContain('files_read'))
  expect((await approve(`${asked}&hash=${shown.hash}`)).status).toBe(404)
})
