import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sessionsIn } from '../packages/typed-session.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const EXAMPLES = join(ROOT, 'examples')
const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8')

const names = readdirSync(EXAMPLES).filter((name) => statSync(join(EXAMPLES, name)).isDirectory())
const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))].map(
  (file) => read(file === 'README.md' ? '.' : 'docs', file),
)

const pageOf = (name: string) => read('examples', name, 'README.md')
const isLinked = (name: string) => new RegExp(`\\]\\((?:\\.\\./)?examples/${name}[/)]`)

it('every example shows what is typed and what is seen, which test/packages runs', () => {
  const shows = (name: string) =>
    sessionsIn(pageOf(name)).some((typed) => typed.some(({ seen }) => seen !== ''))
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !shows(name))).toEqual([])
})

it('every example is a screen to read, and says where to read on', () => {
  const isShort = (page: string) => page.split('\n').length < 60 && page.includes('](../../docs/')
  expect(names.filter((name) => !isShort(pageOf(name)))).toEqual([])
})

it('every example stands in the table, and is linked from a guide', () => {
  const table = read('examples', 'README.md')
  expect(names.filter((name) => !table.includes(`[${name}](${name})`))).toEqual([])
  expect(names.filter((name) => !pages.some((page) => isLinked(name).test(page)))).toEqual([])
})

/** What the guides show of examples/deploy, by the language of the block. */
const SHOWN = [
  { guide: 'SCALING.md', language: 'nginx', file: 'nginx.conf' },
  { guide: 'SCALING.md', language: 'haproxy', file: 'haproxy.cfg' },
  { guide: 'SCALING.md', language: 'yaml', file: 'kubernetes.yaml' },
  { guide: 'OPERATORS.md', language: 'dockerfile', file: 'Dockerfile' },
  { guide: 'OPERATORS.md', language: 'ini', file: 'mcp.service' },
]

it.each(SHOWN)('$guide shows $file as it is', ({ guide, language, file }) => {
  const text = read('docs', guide)
  const block = new RegExp(`^(\`\`\`${language}\\n)[\\s\\S]*?^(?=\`\`\`$)`, 'm')
  const made = text.replace(block, (_block, fence: string) => fence + read('examples', 'deploy', file))
  expect(text).toMatch(block)
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(join(ROOT, 'docs', guide), made)
  else expect(text).toBe(made)
})

it('every link between them leads somewhere', () => {
  const broken = ['', ...names].flatMap((name) => {
    const links = [...read('examples', name, 'README.md').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
    return links
      .filter(([, link = '']) => !existsSync(join(EXAMPLES, name, link)))
      .map(([link]) => `${name}: ${link}`)
  })
  expect(broken).toEqual([])
})
