import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { asSomebody, giveToSomebody } from '../setup/somebody.ts'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')

let root = ''
const at = (path: string) => join(root, path)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'perigee-denied-'))
  giveToSomebody(root)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string, mode: number): void {
  writeFileSync(at(path), text)
  chmodSync(at(path), mode)
  giveToSomebody(at(path))
}

function folder(path: string, mode: number): void {
  mkdirSync(at(path), { recursive: true })
  giveToSomebody(at(path))
  chmodSync(at(path), mode)
}

/** What ccmcp says, run by somebody to whom something is denied. */
async function ask(tool: string, args: { readonly [name: string]: string }): Promise<string> {
  await using client = await connect(
    asSomebody(process.execPath, [CCMCP, '--root', root, '--log-level', 'off']),
  )
  const { content, isError } = await client.callTool(tool, args)
  const [block] = content
  return `${isError === true ? 'failed: ' : ''}${block?.type === 'text' ? block.text : ''}`
}

it('names the path that it may not read', async () => {
  folder('shut', 0)
  write('a.txt', 'x', 0)
  expect(await ask('read_file', { path: 'a.txt' })).toBe('failed: Permission denied for a.txt')
  expect(await ask('read_file', { path: 'shut/a.txt' })).toBe('failed: Permission denied for shut/a.txt')
})

it('reads in a directory that it may pass but not list', async () => {
  folder('dim', 0o700)
  write('dim/a.txt', 'text', 0o400)
  chmodSync(at('dim'), 0o100)
  expect(await ask('read_file', { path: 'dim/a.txt' })).toBe('text')
})

it('names the path that it may not list', async () => {
  folder('docs', 0)
  expect(await ask('list_directory', { path: 'docs' })).toBe('failed: Permission denied for docs')
})

it('replaces neither a write-protected file nor one in a protected directory', async () => {
  write('old.txt', 'old content', 0o444)
  const denied = (path: string) => `failed: Permission denied for ${path}`
  expect(await ask('write_file', { path: 'old.txt', content: 'new' })).toBe(denied('old.txt'))
  chmodSync(root, 0o555)
  expect(await ask('write_file', { path: 'a.txt', content: 'new' })).toBe(denied('a.txt'))
  expect(readFileSync(at('old.txt'), 'utf8')).toBe('old content')
})
