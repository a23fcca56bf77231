import { execFile, spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { README } from '../authoring/readme.ts'
import { installed } from './installed.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'five-minutes.sh')
const missing = installed.missing.package || installed.missing.nodes

it('it takes nothing that the README does not say', () => {
  for (const said of ['npm pack', 'perigee create weather', 'perigee dev server.ts', 'perigee install'])
    expect(README).toContain(said)
})

it('a tarball that is none is named', () => {
  const { status, stderr } = spawnSync(SCRIPT, ['no such.tgz'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('got no such.tgz, which is no file')])
})

it('a newcomer gets from an empty folder to a tool of their own in a host', async ({ skip }) => {
  skip(missing !== '', missing)
  const bin = join(installed.folder, 'nodes', 'newer', 'package', 'bin')
  const env = { ...process.env, ...installed.environment, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)(SCRIPT, [installed.tarball], { env, timeout: 600_000 })
  const [, , own = '', shown = '', written = '', started = '', took = ''] = stdout.split(/^== /m)
  expect(own).toContain('forecast')
  expect(own).toContain('Sun over Oslo')
  expect(shown).toContain('"weather"')
  expect(written).toContain('Cursor ✔ 1 tool')
  expect(started).toContain('forecast')
  expect(took).toMatch(/in \d+ s\n$/)
}, 600_000)
