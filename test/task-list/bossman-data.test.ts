import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bossman } from '../../src/servers/bossman.ts'
import { McpClient } from '../setup/mcp-client.ts'
import { SCRIPT, say, startBossman } from './bossman.ts'
import { createFolder, openFile } from './folder.ts'

it('keeps tasks from one run to the next in the folder of the user’s data, which it makes', async () => {
  const home = join(createFolder(), 'share')
  const env = { XDG_DATA_HOME: home, APPDATA: home }
  const first = await startBossman({ env })
  const { id } = JSON.parse(await say(first, 'create_task', { description: 'x' }))
  expect(await first.closeStdin()).toBe(0)
  const second = await startBossman({ env })
  expect(JSON.parse(await say(second, 'get_task', { id }))).toMatchObject({ id })
  expect(statSync(join(home, 'bossman')).mode & 0o777).toBe(0o700)
  expect(existsSync(join(home, 'bossman', 'tasks.db'))).toBe(true)
})

it('has a place for its data on every system', () => {
  expect(bossman.settings['data-home']?.fallback).toMatch(/^[/\\A-Z]/)
})

it('reads BOSSMAN_STORE, and does not start with a store that is none', async () => {
  const client = new McpClient(SCRIPT, { env: { BOSSMAN_STORE: 'redis://localhost' } })
  onTestFinished(() => client.kill())
  await expect(client.sendRequest('ping')).rejects.toThrow('the server has ended')
  expect(client.stderr).toContain('store: expected sqlite:PATH, postgres://')
})

it('stays up beside a file that is no database, and works once that is gone', async () => {
  const path = join(createFolder(), 'tasks.db')
  writeFileSync(path, 'not a database, but long enough to look like one\n'.repeat(30))
  const client = await startBossman({ args: ['--store', `sqlite:${path}`] })
  expect(await say(client, 'list_tasks')).toBe(
    `refused: The database ${path} is not an SQLite database: choose another file, or move this one away`,
  )
  expect(await client.sendRequest('resources/read', { uri: 'tasks://open' })).toMatchObject({
    error: { code: -32603, message: expect.stringContaining(path) },
  })
  renameSync(path, `${path}.old`)
  expect(await say(client, 'list_tasks')).toBe('{"tasks":[]}')
})

it('makes no folder that somebody named, and works once it is there', async () => {
  const folder = join(createFolder(), 'mistyped')
  const path = join(folder, 'tasks.db')
  const client = await startBossman({ args: ['--store', `sqlite:${path}`] })
  expect(await say(client, 'list_tasks')).toBe(
    `refused: The database ${path} cannot be opened: there is no folder ${folder}. Create it first`,
  )
  mkdirSync(folder)
  expect(await say(client, 'list_tasks')).toBe('{"tasks":[]}')
})

it('answers others while a call waits for a locked file, and ends only when that call is answered', async () => {
  const path = join(createFolder(), 'tasks.db')
  const client = await startBossman({ args: ['--store', `sqlite:${path}`] })
  await say(client, 'list_tasks')
  const holder = openFile(path)
  await holder.query('BEGIN IMMEDIATE')
  const create = { jsonrpc: '2.0', id: 'create', method: 'tools/call' }
  const params = { name: 'create_task', arguments: { description: 'x' } }
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
  const lines = [{ ...create, params }, ping].map((message) => JSON.stringify(message)).join('\n')
  expect(await client.sendText(lines)).toMatchObject({ id: 'ping' })
  expect(await say(client, 'list_tasks')).toBe('{"tasks":[]}')
  await holder.query('COMMIT')
  expect(await client.closeStdin()).toBe(0)
  expect(await holder.query('SELECT description FROM task_list')).toEqual([{ description: 'x' }])
  await holder.close()
})
