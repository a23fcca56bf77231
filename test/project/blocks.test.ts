import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { serve } from '../../src/cli/commands/serve.ts'
import { COMMANDS, main } from '../../src/cli/main.ts'
import { tasks } from '../../src/cli/tasks/command.ts'
import { VERBS } from '../../src/cli/tasks/verbs.ts'
import { SERVERS } from '../../src/servers/index.ts'
import { parseTranscript } from '../transcripts/parse.ts'
import { BLOCKS, type CodeBlock, ROOT } from './markdown.ts'
import { type Line, linesOf } from './shell-lines.ts'

/** How a block in each language is held; `ts` is in docs.test.ts. What is in no list here is in none at all. */
const HELD: { readonly [language: string]: (block: CodeBlock) => void | Promise<void> } = {
  ts: () => {},
  js: ({ text }) => expect(parseSync('block.mjs', text).errors).toEqual([]),
  json: ({ text }) => void JSON.parse(text),
  sh: ({ text }) => checkCommands(text),
  // What is typed stands after a dollar, and what is answered below it: all of it is run.
  console: (block) => isRun(block, 'test/packages/installed-examples.test.ts'),
  transcript: ({ text }) => expect(parseTranscript(text).steps.length).toBeGreaterThan(0),
  yaml: ({ text }) => checkManifests(text),
  dockerfile: ({ text }) => checkImage(text),
  ini: ({ text }) => checkCommands(/^ExecStart=(?:\/usr\/bin\/)?(.*)$/m.exec(text)?.[1] ?? 'no-command'),
  // Output, messages and drawings: nothing that anybody would copy and run.
  text: ({ text }) =>
    expect(text).not.toMatch(/^\s*(npm|npx|perigee (?!\w+:)|node|import|const|export|claude) /m),
  // Other programs' settings. Whole ones are run with those programs.
  nginx: (block) => isRun(block, 'test/engines/balancers.test.ts'),
  haproxy: (block) => isRun(block, 'test/engines/balancers.test.ts'),
  caddyfile: (block) => isRun(block, ''),
}

/** Pieces of other programs' settings that nothing here can run, and why. */
const SHOWN: { readonly [block: string]: string } = {
  'docs/OPERATORS.md nginx': 'one location of a file; docs/SCALING.md has a whole one, which is run',
  'docs/OPERATORS.md caddyfile': 'Caddy is not among the programs that the tests install',
}

function isRun({ file, language }: CodeBlock, by: string): void {
  if (SHOWN[`${file} ${language}`] !== undefined) return
  expect(existsSync(join(ROOT, by)), `${file}: nothing runs its ${language}`).toBe(true)
  expect(readFileSync(join(ROOT, by), 'utf8')).toContain(
    file.startsWith('examples/') ? 'examples' : posix.basename(file),
  )
}

/** Programs that are not ours: their options are not ours to check. */
const FOREIGN =
  'alias base64 cat cd claude code crush curl cursor docker echo export git haproxy head jq kill kubectl mcp mv nginx node npm npx pnpm rm sleep sudo systemctl tar test bun deno wrangler'.split(
    ' ',
  )
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const OWN_SCRIPTS = ['test', 'start', 'dev', 'build', ...Object.keys(scripts)]

async function checkCommands(text: string): Promise<void> {
  const lines = linesOf(text)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) await checkLine(line)
}

async function checkLine({ program: path, args }: Line): Promise<void> {
  const program = posix.basename(path)
  if (program === 'npm' && args[0] === 'run')
    expect(OWN_SCRIPTS).toContain(args.find((one) => !/^(run|-.*)$/.test(one)))
  // Where nothing is installed yet, npx would fetch whatever has our name.
  if (program === 'npx' && args.includes('create')) expect(args).toContain('--package')
  const run = await findCommand(program, args)
  if (run === undefined) return expect(FOREIGN).toContain(program)
  await expect(run(), `${program} ${args.join(' ')}`).resolves.toBeUndefined()
}

/** One of our own commands, which says with --help that it takes what stands before it. */
async function findCommand(
  program: string,
  args: readonly string[],
): Promise<(() => Promise<void>) | undefined> {
  const dashes = args.indexOf('--')
  const own = dashes < 0 ? args : args.slice(0, dashes)
  if (program === 'perigee') return () => main(withFile(own))
  const [verb = ''] = own
  const ready = Object.hasOwn(SERVERS, program) ? await SERVERS[program]?.() : undefined
  if (ready === undefined) return undefined
  if (program === 'bossman' && Object.hasOwn(VERBS, verb))
    return () => tasks(ready, verb, [...own.slice(1), '--help'])
  return () => serve(ready, [...own, '--help'], ready.name)
}

/** A file that a reader has, and we do not, is the project that `perigee create` makes. */
function withFile(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args
  expect(Object.keys(COMMANDS)).toContain(command)
  const served = ['serve', 'dev'].includes(command)
  const file = 'templates/project/server.ts'
  return [
    command,
    ...rest.map((one) => (served && /^(\.\/|\S*\/)?\w[\w-]*\.m?[jt]s$/.test(one) ? file : one)),
    '--help',
  ]
}

async function checkManifests(text: string): Promise<void> {
  for (const part of text.split(/^---$/m)) {
    const manifest = parseYaml(part)
    const containers = manifest.spec?.template?.spec?.containers ?? []
    for (const { args } of containers) await checkLine({ program: 'perigee', args: args.map(String) })
    expect(manifest.kind).toEqual(expect.any(String))
  }
}

async function checkImage(text: string): Promise<void> {
  for (const line of text.trim().split('\n')) {
    if (line !== '' && !line.startsWith('#')) expect(line).toMatch(/^[A-Z]+ \S/)
  }
  const words = ['ENTRYPOINT', 'CMD'].flatMap((key) => {
    const [, list] = new RegExp(`^${key} (\\[.*\\])$`, 'm').exec(text) ?? []
    return list === undefined ? [] : (JSON.parse(list) as string[])
  })
  const [program = '', ...args] = words
  await checkLine({ program, args })
}

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
})
afterEach(() => vi.restoreAllMocks())

describe('every block of code on every page', () => {
  it('says what language it is in, and that language is held', () => {
    const lost = BLOCKS.filter(({ language }) => !Object.hasOwn(HELD, language))
    expect(lost.map(({ file, line, language }) => `${file}:${line} ${language}`)).toEqual([])
    expect(BLOCKS.length).toBeGreaterThan(100)
  })

  it('is shell that a shell can read, where it is shell', () => {
    const scripts = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text)
    execFileSync('bash', ['-n'], { input: scripts.join('\n') })
  })

  it.each([
    'perigee srve ./server.ts',
    'perigee serve ./server.ts --htpp',
    'npx perigee call add -- npx perigee serve server.ts --htpp',
    'A=1 bossman add Flights --deu friday | cat',
    'npm run dosc',
    'npx perigee create weather',
    'pergee serve',
  ])('would not hold if it said: %s', async (line) => {
    await expect(checkCommands(line)).rejects.toThrow()
  })

  it('nothing is excused that is not there', () => {
    const all = BLOCKS.map(({ file, language }) => `${file} ${language}`)
    expect(Object.keys(SHOWN).filter((one) => !all.includes(one))).toEqual([])
  })

  it.each(BLOCKS.map((block) => ({ ...block, where: `${block.file}:${block.line}` })))(
    '$where ($language) holds',
    async (block) => {
      await HELD[block.language]?.(block)
    },
  )
})
