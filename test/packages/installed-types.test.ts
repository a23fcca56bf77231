import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { freshFolder, installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const missing = installed.missing.package || installed.missing.tools
const run = promisify(execFile)

/** What a library of tools exports; nobody writes down a type. */
const LIBRARY = `
import { type } from 'arktype'
import { defineModule, definePrompt, defineResource, defineResourceTemplate, defineServer, defineTool, elicit, Needs, watch } from 'perigee'
import { files } from 'perigee/modules/files'
import { moon } from 'perigee/modules/moon'
import { z } from 'zod'

export const add = defineTool({ name: 'add', input: z.object({ a: z.number() }), output: z.object({ sum: z.number(), kind: z.enum(['a', 'b']) }), run: ({ a }) => ({ sum: a, kind: 'a' }) })
export const ark = defineTool({ name: 'ark', input: type({ a: 'number' }), output: type({ sum: 'number' }), run: async ({ a }) => ({ sum: a }) })
export const raw = defineTool({ name: 'raw', input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }, run: ({ a }) => ({ sum: a }) })
export const ask = defineTool({
  name: 'ask',
  run: (_args, call) => {
    const asked = call.ask({ who: elicit({ message: 'Who?', schema: z.object({ name: z.string() }) }) })
    if (asked instanceof Needs) return asked
    return asked.who.action === 'accept' ? asked.who.content.name : 'nobody'
  },
})
export const form = elicit({ message: 'Who?', schema: z.object({ name: z.string() }) })
export const memo = defineResource({ uri: 'memo://one', name: 'one', read: () => 'text' })
export const note = defineResourceTemplate({ uriTemplate: 'note://{id}', name: 'note', read: ({ id }) => id })
export const greet = definePrompt({ name: 'greet', arguments: [{ name: 'who', required: true }], render: ({ who }) => who })
export const library = defineModule({ name: 'library', tools: [add, ark, raw, ask], resources: [memo], templates: [note], prompts: [greet], middleware: [(call, next) => watch(call, next, () => {})] })
export const server = defineServer({ name: 'library', version: '1', modules: [library, files({ root: '.' }), moon()] })
// @ts-expect-error There is no such member.
defineTool({ name: 'bad', output: z.object({ sum: z.number() }), run: () => ({ summ: 'x' }) })
`

const EXAMPLES = [
  ...readFileSync(join(ROOT, 'docs', 'AUTHORS.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm),
].map(([, text = '']) => text)

const COMPILERS = {
  'TypeScript 5.8': join(installed.folder, 'tools', 'node_modules', 'typescript', 'bin', 'tsc'),
  'TypeScript 7': join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
}

const RESOLUTIONS = {
  NodeNext: { module: 'nodenext', moduleResolution: 'nodenext' },
  Bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

const cases = Object.keys(COMPILERS).flatMap((compiler) =>
  Object.keys(RESOLUTIONS).map((resolution) => ({ compiler, resolution })),
) as { compiler: keyof typeof COMPILERS; resolution: keyof typeof RESOLUTIONS }[]

for (const name of ['zod', 'arktype', '@ark', 'arkregex', '@types/node', 'undici-types']) {
  cpSync(join(ROOT, 'node_modules', name), join(installed.folder, 'node_modules', name), { recursive: true })
}

it.for(cases)(
  'examples and exported tools compile with $compiler and $resolution, strictly, and with declarations',
  async ({ compiler, resolution }, { skip }) => {
    skip(missing !== '', missing)
    const folder = freshFolder(`types-${compiler}-${resolution}`.replaceAll(' ', '-'))
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    writeFileSync(join(folder, 'src', 'library.ts'), LIBRARY)
    for (const [at, text] of EXAMPLES.entries()) writeFileSync(join(folder, 'src', `example-${at}.ts`), text)
    const compilerOptions = {
      ...RESOLUTIONS[resolution],
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      strict: true,
      declaration: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      rootDir: 'src',
      outDir: 'out',
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
    const said = await run(process.execPath, [COMPILERS[compiler], '-p', folder]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    expect(said).toBe('')
    expect(EXAMPLES.length).toBeGreaterThan(10)
    const declared = readFileSync(join(folder, 'out', 'library.d.ts'), 'utf8')
    expect(declared).toMatch(/add: .*ToolDefinition<\{\s+a: number;\s+\}>/)
  },
)
