import { describe, expect, it } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'

const parse = (text: string) => parseFrontMatter(Buffer.from(text))
const withFields = (fields: string) => parse(`---\nname: pdf\ndescription: Reads\n${fields}\n---\nBody\n`)

describe('good front matter', () => {
  it('keeps all fields as YAML has them', async () => {
    const fields = [
      'license: Apache-2.0',
      'date: 2026-07-28',
      'version: "1.0"',
      'number: 1.5',
      'none:',
      'text: >',
      '  one',
      '  line',
      'metadata: { "a/b": [1, true, null], deep: { er: x } }',
    ]
    expect(await withFields(fields.join('\n'))).toEqual({
      name: 'pdf',
      description: 'Reads',
      fields: {
        name: 'pdf',
        description: 'Reads',
        license: 'Apache-2.0',
        date: '2026-07-28',
        version: '1.0',
        number: 1.5,
        none: null,
        text: 'one line\n',
        metadata: { 'a/b': [1, true, null], deep: { er: 'x' } },
      },
    })
  })

  it.each([
    ['lines that end in CRLF', '---\r\nname: pdf\r\ndescription: Reads\r\n---\r\nBody'],
    ['a byte order mark', '\ufeff---\nname: pdf\ndescription: Reads\n---\n'],
    ['nothing after it', '---\nname: pdf\ndescription: Reads\n---'],
    ['a rule in the body', '---\nname: pdf\ndescription: Reads\n---\nBody\n---\nname: other\n---\n'],
    ['spaces after its marks', '--- \nname: pdf\ndescription: Reads\n---\t\n'],
  ])('may have %s', async (_what, text) => {
    expect(await parse(text)).toMatchObject({ fields: { name: 'pdf', description: 'Reads' } })
  })

  it('may have a field by the name of a prototype, which changes nothing', async () => {
    const matter = await withFields('__proto__: { polluted: true }')
    expect(JSON.stringify(matter)).toContain('"__proto__":{"polluted":true}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('bad front matter', () => {
  it.each([
    ['', 'has no front matter'],
    ['# Heading\n', 'has no front matter'],
    ['\n---\nname: pdf\n---\n', 'has no front matter'],
    ['---\nname: pdf\ndescription: Reads\n', 'has no front matter'],
    ['---\n---\n', 'has no front matter'],
    ['---\n\n---\n', 'has front matter without fields'],
    ['---\n- a\n---\n', 'has front matter without fields'],
    ['---\njust text\n---\n', 'has front matter without fields'],
    ['---\ndescription: Reads\n---\n', 'has no name'],
    ['---\nname: 5\ndescription: Reads\n---\n', 'has no name'],
    ['---\nname: pdf\n---\n', 'has no description'],
    ['---\nname: pdf\ndescription: "  "\n---\n', 'has no description'],
    ['---\nname: pdf\ndescription: [a]\n---\n', 'has no description'],
  ])('%j is refused because it %s', async (text, problem) => {
    expect(await parse(text)).toEqual({ problem })
  })

  it.each(['PDF', 'a--b', '-a', 'a-', 'a_b', '""', 'é', 'x'.repeat(65)])(
    'is refused for the name %s',
    async (name) => {
      expect(await parse(`---\nname: ${name}\ndescription: Reads\n---\n`)).toEqual({
        problem: 'has a name that is not 1 to 64 lower-case letters, digits and single hyphens',
      })
    },
  )

  it.each(['a: [', 'name: twice', 'a: b: c', 'a: &x [*x]', 'a: *nothing'])(
    'is refused for %j, in one line',
    async (field) => {
      expect(await withFields(field)).toEqual({
        problem: expect.stringMatching(/^has front matter that is no YAML: .+$/),
      })
    },
  )

  it('is refused where aliases would make it grow without bounds', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}]`)
    expect(await withFields(['l0: &l0 x', ...levels].join('\n'))).toHaveProperty('problem')
  })

  it('is refused where a key is there twice, at any depth', async () => {
    for (const field of [
      'name: twice',
      'a: { b: 1, c: 2, b: 3 }',
      'a:\n  - b: 1\n    "b": 2',
      '1: a\n1: b',
    ]) {
      expect(await withFields(field)).toEqual({
        problem: expect.stringMatching(/^has front matter that is no YAML: the key .+ is there twice$/),
      })
    }
  })

  it('is refused when it is longer than anybody needs, before it is read', async () => {
    const wide = Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')
    expect(await withFields(wide)).toEqual({
      problem: expect.stringMatching(
        /^has front matter of \d+ bytes, more than 16384 \(--max-front-matter\)$/,
      ),
    })
    expect(await withFields(`note: ${'x'.repeat(16_000)}`)).toHaveProperty('fields')
  })

  it('is refused when it is not UTF-8', async () => {
    expect(await parseFrontMatter(Buffer.from([0x2d, 0xff]))).toEqual({ problem: 'is not UTF-8 text' })
  })
})
