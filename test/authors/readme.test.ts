import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS, README } from './readme.ts'

const { name, version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
)
const tarball = `/somewhere/${name}-${version}.tgz`

it('there is a command for each server that is one', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(['ccmcp', 'bossman', 'bb', 'primer'])
})

/** The same in the words of the other hosts: JSON, in which a shell fills in nothing. */
it.each(COMMANDS)('every host is told the same of $name', ({ name, command }) => {
  const words = command.replace('"$PERIGEE"', tarball).split(' ')
  const [code = '', cursor = '', crush = ''] = README.slice(README.indexOf(`claude mcp add ${name} `))
    .split('\n')
    .slice(1)
  const filled = (line: string) =>
    JSON.parse(
      line
        .slice(line.indexOf('{'), line.lastIndexOf('}') + 1)
        .replace(/'"\$PERIGEE"'|\/path\/to\/perigee-[^"]*/, tarball),
    )
  const entries = [filled(code), filled(cursor).mcpServers[name], filled(crush).mcp[name]]
  for (const { command: program, args } of entries) expect([program, ...args]).toEqual(words)
})

it('the tarball has the name that is printed', () => {
  expect(README).toContain(`/path/to/${tarball.split('/').at(-1)}`)
})
