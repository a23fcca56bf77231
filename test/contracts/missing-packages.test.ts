import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

/** What is published, where nothing else is installed. */
const folder = mkdtempSync(join(tmpdir(), 'alone-'))
cpSync(join(import.meta.dirname, '..', '..', 'dist'), join(folder, 'dist'), { recursive: true })
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
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
