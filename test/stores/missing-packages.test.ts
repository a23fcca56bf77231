import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

/** What is published, where nothing else is installed. */
const folder = mkdtempSync(join(tmpdir(), 'alone-'))
const root = join(import.meta.dirname, '..', '..')
cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
const { type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type, imports }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['redis://:hunter2@127.0.0.1:1', 'Redis needs the package ioredis: npm install ioredis'],
  ['postgres://me:hunter2@127.0.0.1:1/x', 'PostgreSQL needs the package pg: npm install pg'],
])('a store whose package is missing names the command that installs it: %s', (url, said) => {
  writeFileSync(
    join(folder, 'open.js'),
    `import { openStore } from './dist/index.js'
    const store = openStore(${JSON.stringify(url)})
    await store.get('key').catch((error) => console.log(error.message))
    await store.close()`,
  )
  expect(execFileSync(process.execPath, ['open.js'], { cwd: folder, encoding: 'utf8' })).toBe(`${said}\n`)
})
