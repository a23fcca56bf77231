import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, '.cache', 'docs')

interface Example {
  readonly name: string
  readonly text: string
}

function examplesIn(file: string): readonly Example[] {
  const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, text = ''], index) => ({ name: `${file.replaceAll(/\W/g, '-')}-${index + 1}`, text }))
}

const hello = examplesIn('README.md')
const examples = [
  ...examplesIn('docs/AUTHORS.md'),
  ...examplesIn('docs/CLIENT.md'),
  ...examplesIn('docs/CONTEXT.md'),
  ...examplesIn('docs/TRANSPORTS.md'),
]

/** The examples import `perigee` as a user does, which a file inside the package may. */
beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const { name, text } of [...hello, ...examples]) writeFileSync(join(FOLDER, `${name}.mts`), text)
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

describe('the examples for authors', () => {
  it.each(examples)('$name prints what it says', ({ name, text }) => {
    const expected = [...text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
    const printed = execFileSync(process.execPath, [join(FOLDER, 'out', `${name}.mjs`)], {
      encoding: 'utf8',
      stdio: 'pipe', // What it says on stderr is told if it fails.
    })
    const lines = oneLineEach(printed)
    expect(expected.length).toBeGreaterThan(0)
    expect([...new Set(lines)]).toEqual(expected)
  })
})

/** console.log breaks long values into lines. */
function oneLineEach(printed: string): readonly string[] {
  return printed
    .replaceAll(/\n +/g, ' ')
    .replaceAll(/\n([\]}])/g, ' $1')
    .trimEnd()
    .split('\n')
}
