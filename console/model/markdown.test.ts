import { describe, expect, it } from 'vitest'
import { type Block, looksLikeMarkdown, parseMarkdown } from './markdown.ts'
import { type Inline, parseInline } from './markdown-inline.ts'

const text = (inline: readonly Inline[]): string =>
  inline.map((one) => ('text' in one ? one.text : 'inline' in one ? text(one.inline) : '\n')).join('')

const links = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href ?? '')

describe('blocks', () => {
  it('are headings, paragraphs, code, quotes, rules, lists and tables', () => {
    const kinds = parseMarkdown(
      '# A\n\nb\nc\n\n```js\nd()\n```\n> e\n\n---\n- f\n- g\n\n1. h\n\n|i|j|\n|-|-|\n|k|l|',
    )
    expect(kinds.map((one) => one.kind)).toEqual([
      'heading',
      'paragraph',
      'code',
      'quote',
      'rule',
      'list',
      'list',
      'table',
    ])
    expect(kinds[2]).toEqual({ kind: 'code', text: 'd()', language: 'js' })
  })

  it('stand within each other', () => {
    const [list] = parseMarkdown('- a\n  - b\n\n    c\n- d') as [Extract<Block, { kind: 'list' }>]
    expect(list.items).toHaveLength(2)
    expect(list.items[0]?.map((one) => one.kind)).toEqual(['paragraph', 'list'])
  })

  it('end, whatever they are given', () => {
    for (const hostile of [
      '>'.repeat(50_000),
      '- '.repeat(20_000),
      '|'.repeat(50_000),
      '```',
      '*'.repeat(50_000),
      '['.repeat(50_000),
    ])
      expect(parseMarkdown(hostile).length).toBeGreaterThan(0)
  })
})

describe('marks within a line', () => {
  it('are strong, emphasis, code, links and breaks', () => {
    expect(
      parseInline('**a** *b* `c` ~~d~~')
        .filter((one) => one.kind !== 'text')
        .map((one) => one.kind),
    ).toEqual(['strong', 'emphasis', 'code', 'strike'])
    expect(links(parseInline('[a](https://a.example/) <https://b.example/> https://c.example/x.'))).toEqual([
      'https://a.example/',
      'https://b.example/',
      'https://c.example/x',
    ])
  })

  it('leave names with underscores alone', () => {
    expect(parseInline('snake_case_name')).toEqual([{ kind: 'text', text: 'snake_case_name' }])
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'java\tscript:x',
    'blob:x',
  ])('make no link to %s', (target) => {
    const inline = parseInline(`[press](${target}) ![p](${target}) <${target}>`)
    expect(links(inline)).toEqual([])
    expect(text(inline)).toContain('press')
  })

  it('make no HTML', () => {
    expect(text(parseInline('<script>alert(1)</script>'))).toBe('<script>alert(1)</script>')
  })
})

it.each([
  ['# Title', true],
  ['- a\n- b', true],
  ['see **this**', true],
  ['One plain sentence, 3 * 4 = 12.', false],
  ['a_b_c', false],
])('%j was meant as Markdown: %s', (given, expected) => {
  expect(looksLikeMarkdown(given)).toBe(expected)
})

it.each([
  ['a heading with a separator after its spaces', `#${' '.repeat(40_000)}a\u2028b`],
  ['a heading of hashes', `# ${' #'.repeat(20_000)}a\u2028b`],
  ['spaces', `a${' '.repeat(200_000)}b`],
  ['what might be the rule of a table', `|\n-${' '.repeat(40_000)}b`],
  ['pipes', `${'|'.repeat(10_000)}\n${'-'.repeat(9000)}b`],
  ['brackets', '['.repeat(20_000)],
  ['links without an end', '[a]('.repeat(5000)],
])(
  'is read in one go: %s',
  (_what, written) => {
    for (let times = 0; times < 20; times++) looksLikeMarkdown(written)
    expect(parseMarkdown(written).length).toBeGreaterThan(0)
  },
  3000,
)
