import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { blocksIn, ROOT } from './markdown.ts'

const FOLDER = join(ROOT, '.cache', 'migrating')
const VERSIONS = ['v1', 'v2']

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true })
  for (const version of VERSIONS) {
    const blocks = blocksIn(`docs/guide/migrating-from-sdk-${version}.md`).filter(
      ({ language }) => language === 'ts',
    )
    for (const [at, name] of ['before', 'after'].entries())
      writeFileSync(join(FOLDER, `${version}-${name}.mts`), blocks[at]?.text ?? '')
  }
  const compilerOptions = { noEmit: false, rootDir: '.', outDir: 'out' }
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.mts'] }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER], { encoding: 'utf8' })
})

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** What a server answers to everything that both have. */
async function answersOf(name: string) {
  await using client = await connect({
    command: process.execPath,
    args: [join(FOLDER, 'out', `${name}.mjs`)],
  })
  const { content, structuredContent } = await client.callTool('add', { a: 2, b: 40 })
  const [tool] = await client.tools()
  return {
    server: client.server?.name,
    tool: { name: tool?.name, description: tool?.description, required: tool?.inputSchema['required'] },
    sum: { content, structuredContent },
    note: (await client.read('note://moon')).contents,
    templates: (await client.templates()).map(({ name, uriTemplate }) => ({ name, uriTemplate })),
    prompt: (await client.prompt('review', { code: 'x' })).messages,
  }
}

describe.each(VERSIONS)('the server on the page about SDK %s', (version) => {
  it('answers after the move as it did before', async () => {
    const after = await answersOf(`${version}-after`)
    expect(after.sum.structuredContent).toEqual({ sum: 42 })
    expect(after).toEqual(await answersOf(`${version}-before`))
  })
})
