import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'
import { handLine, handLines } from '../../src/cli/install/lines.ts'
import { COMMANDS, README } from './readme.ts'

const { name, version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
)
const url = 'http://127.0.0.1:8181/mcp'

it('there is a command for each server that is one', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(['ccmcp', 'bossman', 'bb', 'primer'])
})

it.each([
  { name: 'workbench', url, headers: {} },
  { name: 'moonphase', url, headers: { 'X-Api-Token': '${MOONPHASE_API_KEY}' } },
])('the lines that plug $name in are those that it prints', (server) => {
  expect(README).toContain(`\n${handLines(server).join('\n')}\n`)
})

it.each(COMMANDS)('the line for $name is the one of the table', ({ name, command }) => {
  const [program = '', ...args] = command.replaceAll('"', '').split(' ')
  const claude = INSTALL_HOSTS.find(({ id }) => id === 'claude-code')
  const line = claude && handLine(claude, { name, command: program, args, env: {} })
  expect(line?.replaceAll("'", '"')).toBe(`claude mcp add ${name} -- ${command}`)
})

it('the tarball has the name that is printed', () => {
  expect(README).toContain(`/path/to/${name}-${version}.tgz`)
})
