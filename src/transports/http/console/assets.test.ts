import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listAssets } from './assets.ts'

function createFolder(files: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

it('serves what was built, by its type, and nothing else that lies there', () => {
  const assets = listAssets(
    createFolder({ 'index.html': 'the page', 'frame.html': 'a frame', 'a.js': 'a script', 'b.map': 'b' }),
  )
  expect([...assets.keys()].sort()).toEqual(['/console', '/console/a.js', '/console/frame'])
  expect(assets.get('/console')?.read()).toBe('the page')
  expect(assets.get('/console/frame')?.read()).toBe('a frame')
  expect(assets.get('/console/a.js')?.read()).toBe('a script')
  expect(assets.get('/console/a.js')?.headers['content-type']).toContain('javascript')
  for (const path of ['/console', '/console/frame'])
    expect(assets.get(path)?.headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.any(String),
      'cache-control': 'no-store',
    })
})

it('says so on its page where nothing was built', () => {
  for (const folder of [createFolder({}), join(tmpdir(), 'no-such-folder')]) {
    const assets = listAssets(folder)
    expect([...assets.keys()]).toEqual(['/console', '/console/frame'])
    expect(assets.get('/console')?.read()).toContain('<title>Console</title>')
  }
})
