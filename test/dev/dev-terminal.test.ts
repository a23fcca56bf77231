import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { needTerminal, typeAt } from '../cli/terminal.ts'
import { PERIGEE, Project, serverFile } from './dev-host.ts'

const [CTRL_C, CTRL_D] = ['\u0003', '\u0004']

let project: Project
beforeAll(() => {
  project = new Project()
  project.save('notes.mjs', serverFile({ say: 'return "hello"' }))
})
afterAll(() => project.remove())
beforeEach(needTerminal)

type Turns = Parameters<typeof typeAt>[2]
const type = (args: readonly string[], turns: Turns) =>
  typeAt([process.execPath, PERIGEE, ...args], project.folder, turns)

it('whoever starts it at a terminal is shown where a browser sees it, and how to plug it in from anywhere', async () => {
  const { shown } = await type(['dev', 'notes.mjs'], [['/console#', CTRL_D]])
  expect(shown).toMatch(/can be seen at http:\/\/127\.0\.0\.1:\d+\/console#[\w-]{22,}/)
  expect(shown).toContain(` dev ${join(project.folder, 'notes.mjs')}`)
})

it('over HTTP as well, and with what else was typed', async () => {
  const { shown } = await type(['dev', 'notes.mjs', '--http', '--port', '0'], [['Ctrl-C stops it', CTRL_C]])
  expect(shown).toMatch(/in a browser: http:\/\/127\.0\.0\.1:\d+\/console#/)
})

it('but not where other machines could see it', async () => {
  const { shown } = await type(
    ['dev', 'notes.mjs', '--http', '--port', '0', '--host', '0.0.0.0', '--allow-anonymous'],
    [['Ctrl-C stops it', CTRL_C]],
  )
  expect(shown).not.toContain('/console#')
})

it('serve, too, says a path that can be used from anywhere', async () => {
  const { shown } = await type(['serve', './notes.mjs'], [['To use it from Claude Code', CTRL_D]])
  expect(shown).toContain(` serve ${join(project.folder, 'notes.mjs')}`)
})
