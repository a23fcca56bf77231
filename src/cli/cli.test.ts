import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readVersion } from './version.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin')

/** Runs a command whose input is empty. */
function run(
  command: 'ccmcp' | 'perigee',
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(BIN, `${command}.js`), ...args], {
    input: '',
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

it('runs until its input ends', () => {
  expect(run('ccmcp', [])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(run('perigee', ['serve', 'ccmcp', '--root', '.'])).toMatchObject({ status: 0, stdout: '' })
})

it.each(['--help', '-h'])('explains itself with %s', (flag) => {
  const { status, stdout, stderr } = run('ccmcp', [flag])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const word of ['Usage: ccmcp', '--root DIR', 'CCMCP_ROOT', '--help', '--version'])
    expect(stdout).toContain(word)
})

it('tells its version', () => {
  expect(run('ccmcp', ['--version'])).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
  expect(run('perigee', ['--version'])).toEqual({ status: 0, stdout: `${readVersion()}\n`, stderr: '' })
})

it('says what it can do', () => {
  expect(run('perigee', [])).toMatchObject({ status: 0, stdout: expect.stringContaining('perigee serve') })
  expect(run('perigee', ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('ccmcp') })
})

it.each([
  ['an unknown flag', 'ccmcp', ['--nonsense'], {}, '--nonsense'],
  ['a stray word', 'ccmcp', ['nonsense'], {}, 'nonsense'],
  ['an empty root', 'ccmcp', ['--root', ''], {}, 'root: expected a value, got an empty one'],
  ['a root that is not there', 'ccmcp', ['--root', '/no/such/folder'], {}, '"/no/such/folder"'],
  ['a root that is a file', 'ccmcp', ['--root', import.meta.filename], {}, 'root: expected a folder'],
  ['a wrong root in the environment', 'ccmcp', [], { CCMCP_ROOT: '/no/such/folder' }, '"/no/such/folder"'],
  ['an unknown command', 'perigee', ['fly'], {}, 'there is no command fly'],
  ['an unknown server', 'perigee', ['serve', 'nothing'], {}, 'there is no server nothing'],
] as const)(
  'ends with an error that names %s, and nothing on stdout',
  (_name, command, args, env, message) => {
    const { status, stdout, stderr } = run(command, args, env)
    expect(status).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  },
)
