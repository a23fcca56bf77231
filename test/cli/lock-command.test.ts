import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CURIOUS, perigee } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROOT = join(import.meta.dirname, '..', '..', 'dist', 'index.js')

function serve(required: readonly string[]): void {
  writeFileSync(
    join(folder, 'server.mjs'),
    `import { defineServer, defineTool } from ${JSON.stringify(ROOT)}
    export default defineServer({ name: 'adding', version: '1.0.0', offer: 'search', tools: [defineTool({
      name: 'add',
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ${JSON.stringify(required)} },
      run: ({ a, b }) => String(a + b),
    })] })`,
  )
}

const lock = (...args: readonly string[]) => perigee(['lock', ...args], '', folder)
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })

it('without a lock it says how one is made', async () => {
  serve(['a'])
  const { status, stderr } = await lock('--check')
  expect([status, stderr]).toEqual([
    2,
    'perigee: there is no perigee.lock here. Make it with perigee lock [SERVER], and commit it\n',
  ])
})

it.each([['--check'], []])('a file that cannot be one is told: %s', async (...more) => {
  const { status, stderr } = await lock('--file', folder, ...more)
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^perigee: file: .* cannot be read: /)])
})

it('writes down all that a server has, and tells what has become of it', async () => {
  const written = await lock()
  expect(written.status).toBe(0)
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'perigee.lock'), 'utf8')).tools)).toEqual(['add'])
  git('init', '-q')
  git('add', 'perigee.lock')
  git('commit', '-qm', 'locked')

  expect(await lock('server.mjs', '--check')).toMatchObject({
    status: 0,
    stdout: 'Nothing has changed for callers.\n',
  })
  serve(['a', 'b'])
  const breaking = 'breaking   tool add: input.b became required\n'
  expect(await lock('--check')).toMatchObject({
    status: 1,
    stdout: breaking,
    stderr: 'perigee: 1 breaking.\n',
  })
  await lock()
  expect(await lock('--check')).toMatchObject({ status: 0 })
  expect(await lock('--since', 'HEAD')).toMatchObject({ status: 1, stdout: breaking })
  expect((await lock('--since', 'HEAD', '--json')).stdout).toContain('"verdict":"breaking"')
})

it('on GitHub each change is an annotation, which nothing in it can make another order', async () => {
  process.env['GITHUB_ACTIONS'] = 'true'
  try {
    const { stdout } = await lock('--since', 'HEAD')
    expect(stdout.split('\n')[1]).toBe(
      '::error file=perigee.lock,title=breaking for callers::tool add: input.b became required',
    )
    expect((await lock('--since', 'HEAD', '--json')).stdout).not.toContain('::error')
  } finally {
    delete process.env['GITHUB_ACTIONS']
  }
})

it.each([
  [['--since', 'nowhere'], /git has no perigee\.lock of nowhere/],
  [['nothing-here'], /there is no server nothing-here\. Expected a file, an address, or one of workbench/],
  [['server.mjs', 'another'], /expected one server, got another as well/],
  [['--chekc'], /there is no option --chekc\. Did you mean --check\?/],
])('%s is told what is wrong', async (args, words) => {
  const { status, stderr } = await lock(...args)
  expect(status).toBe(2)
  expect(stderr).toMatch(words)
})

it('locks a server that is a command', async () => {
  const { status, stdout } = await lock('--file', 'curious.lock', ...CURIOUS)
  expect(status).toBe(0)
  expect(stdout).toMatch(/^curious\.lock: \S+, \d+ tools/)
})
