import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { perigee } from './run.ts'

it.each(['call', 'tools', 'read', 'prompt', 'ping', 'watch', 'lock'])(
  '%s --help says how it is called, with an example',
  async (name) => {
    const { status, stdout, stderr } = await perigee([name, '--help'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Usage: perigee ${name}`)
    expect(stdout).toMatch(new RegExp(`^Example: perigee ${name} `, 'm'))
    for (const word of ['--url URL', '-- COMMAND …', '--revision ID', '--header', '--json', 'It ends with:'])
      expect(stdout).toContain(word)
  },
)

it('perigee --help names them all', async () => {
  const { stdout } = await perigee(['--help'])
  for (const name of [
    'create',
    'call',
    'tools',
    'read',
    'prompt',
    'ping',
    'watch',
    'lock',
    'install',
    'uninstall',
    'record',
    'replay',
    'mock',
  ])
    expect(stdout).toContain(name)
})

it('the docs have the same exit codes', () => {
  const docs = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'CLI.md'), 'utf8')
  for (const { code, meaning } of Object.values(EXIT_CODES))
    expect(docs).toContain(`| ${code} | ${meaning} |`)
})
