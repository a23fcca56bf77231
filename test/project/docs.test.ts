import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { BLOCKS, type CodeBlock, ROOT } from './markdown.ts'

const FOLDER = join(ROOT, '.cache', 'docs')

/** What is shown of our own sources, as it stands there. */
const isExcerpt = ({ text }: CodeBlock) => sources.some((source) => source.includes(flat(text)))
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => flat(readFileSync(join(ROOT, 'src', file), 'utf8')))

const code = BLOCKS.filter((block) => block.language === 'ts' && !isExcerpt(block))
const hello = code.filter(({ file }) => file === 'README.md')
const examples = code.filter(({ file }) => file !== 'README.md')
const PRINTS = /console\.log\(.*\) \/\/ (.*)$/gm

/** The examples import `perigee` as a user does, which a file inside the package may. */
beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const { name, text } of code) writeFileSync(join(FOLDER, `${name}.mts`), text)
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noEmit: false, rootDir: '.', outDir: 'out' },
    include: ['*.mts'],
  }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER], { encoding: 'utf8' })
  } catch (error) {
    throw new Error(`The examples do not compile:\n${(error as { stdout: string }).stdout}`)
  }
})

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

describe('the README', () => {
  it('shows a whole server in at most ten lines', () => {
    expect(hello).toHaveLength(1)
    expect(hello[0]?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  })

  it('shows a server that works as it stands', async () => {
    const args = [join(FOLDER, 'out', `${hello[0]?.name}.mjs`)]
    await using client = await connect({ command: process.execPath, args })
    const { content } = await client.callTool('hello', { name: 'you' })
    expect(content).toEqual([{ type: 'text', text: 'Hello, you!' }])
  })
})

/** All of them compile, or none of this is reached; whatever prints is run, and so is whatever tests. */
describe('the examples on all pages', () => {
  it.each(examples.filter(({ text }) => text.match(PRINTS)))(
    '$name prints what it says',
    ({ name, text }) => {
      const expected = [...text.matchAll(PRINTS)].map(([, comment]) => comment)
      expect([...new Set(oneLineEach(run(name)))]).toEqual(expected)
    },
  )

  it.each(examples.filter(({ text }) => text.includes("'node:test'")))(
    '$name passes its tests',
    ({ name }) => {
      expect(run(name)).toMatch(/^(#|ℹ) fail 0$/m) // Node 24 words it otherwise.
    },
  )

  it('whatever says that it prints something is run', () => {
    const silent = examples.filter(({ text }) => text.includes('console.log') && !text.match(PRINTS))
    expect(silent.map(({ name }) => name)).toEqual([])
    expect(examples.length).toBeGreaterThan(30)
  })
})

function run(name: string): string {
  return execFileSync(process.execPath, [join(FOLDER, 'out', `${name}.mjs`)], { encoding: 'utf8' })
}

/** console.log breaks long values into lines. */
function oneLineEach(printed: string): readonly string[] {
  return printed
    .replaceAll(/\n +/g, ' ')
    .replaceAll(/\n([\]}])/g, ' $1')
    .trimEnd()
    .split('\n')
}
