import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseBash } from '../../src/cli/install/formats/bash-commands.ts'
import { INSTALL_HOSTS } from '../../src/cli/install/hosts.ts'
import { handLine, handLines } from '../../src/cli/install/lines.ts'
import { COMMANDS, README } from './readme.ts'

const ROOT = join(import.meta.dirname, '..', '..')
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

/** Every line of a document that plugs something into Claude Code. */
const LINES = [
  'README.md',
  join('templates', 'project', 'README.md'),
  join('src', 'cli', 'commands', 'dev.ts'),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^.*?(claude mcp add (?!-json).*)$/gm)].map(
    ([, line = '']) => [file, line] as const,
  ),
)

it.each(LINES)('%s says it as the table does: %s', (_file, line) => {
  const wordsOf = (text: string) => parseBash(text)[0]?.words ?? []
  const words = wordsOf(line)
  const [name = '', url = '', ...rest] = words.slice(words[3] === '--transport' ? 5 : 3)
  const headers = rest.filter((word) => word !== '--header').map((word) => word.split(': '))
  const [command = '', ...args] = rest
  const server =
    url === '--' ? { name, command, args, env: {} } : { name, url, headers: Object.fromEntries(headers) }
  const claude = INSTALL_HOSTS.find(({ id }) => id === 'claude-code')
  expect(wordsOf(claude === undefined ? '' : handLine(claude, server))).toEqual(words)
})
