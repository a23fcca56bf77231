import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBroken } from '../../site/check.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const BUILD = join(ROOT, 'site', 'build.mjs')
const out = mkdtempSync(join(tmpdir(), 'perigee-site-'))
let said = ''

beforeAll(() => {
  said = execFileSync(process.execPath, [BUILD, out], { encoding: 'utf8' })
})

afterAll(() => rmSync(out, { recursive: true, force: true }))

const read = (file: string) => readFileSync(join(out, file), 'utf8')
const html = () =>
  readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))

it('every link and every anchor leads somewhere', () => {
  expect(said).toMatch(/^\d+ pages in .*, 0 broken links$/m)
  expect(findBroken(out)).toEqual([])
  expect(html().length).toBeGreaterThan(100)
})

it('a link or an anchor that leads nowhere is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-broken-'))
  try {
    writeFileSync(
      join(folder, 'a.html'),
      '<h2 id="x"></h2><a href="b.html"></a><a href="#y"></a><a href="#x"></a>',
    )
    writeFileSync(
      join(folder, 'a.md'),
      '[a page](a.html), [code](src/a.ts), `[no link](x)`, <https://example.com>, [a mistake](100%)',
    )
    expect(findBroken(folder)).toEqual([
      'a.html links to b.html, which is not on the site',
      'a.html links to #y, which is not on the site',
      'a.md links to src/a.ts, which is not on the site',
      'a.md links to 100%, which is not on the site',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a folder with anything else in it is left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-kept-'))
  try {
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    const { status, stderr } = spawnSync(process.execPath, [BUILD, folder], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`${folder} has something in it that is no site`),
    ])
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('has all that is written, by folder', () => {
  const pages = ['docs', 'docs/guide', 'docs/decisions', 'bench/results'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file === 'README.md' ? 'index.html' : file.replace(/\.md$/, '.html'))),
  )
  const examples = readdirSync(join(ROOT, 'examples')).filter((name) =>
    existsSync(join(ROOT, 'examples', name, 'README.md')),
  )
  const wanted = [...pages, ...examples.map((name) => join('examples', name, 'index.html'))]
  expect(wanted.filter((page) => !existsSync(join(out, page)))).toEqual([])
  const pictures = [
    ...readdirSync(join(ROOT, 'docs', 'pictures')).map((file) => join('docs', 'pictures', file)),
    'bench/results/latest.svg',
    'bench/results/storm.svg',
  ]
  expect(pictures.filter((picture) => !existsSync(join(out, picture)))).toEqual([])
})

it('shows every export of the main entry, each at its name', () => {
  const page = read('reference/perigee.html')
  for (const name of ['defineTool', 'needs', 'Needs', 'serveHttp', 'ServeHttpOptions'])
    expect(page).toContain(`<h3 id="${name}">`)
})

it('knows for each word the sections that have it', () => {
  const found: { searchIndex?: SearchIndex } = {}
  runInNewContext(read('assets/search-index.js'), found)
  const { pages, sections, words } = found.searchIndex ?? { pages: [], sections: [], words: {} }
  const sectionsOf = (word: string) => {
    let number = 0
    return (words[word] ?? '').split(' ').map((distance) => {
      number += Number.parseInt(distance, 36)
      const [page, heading] = sections[number] ?? [-1, '']
      return `${pages[page]?.[0]} ${heading}`
    })
  }
  expect(sectionsOf('ratelimit')).toContain('reference/perigee.html rateLimit')
  expect(sectionsOf('troubleshooting')).toContain('docs/guide/troubleshooting.html What a message means')
  expect(words['xyzzy']).toBe(undefined)
  expect(sections.every(([page]) => pages[page] !== undefined)).toBe(true)
  expect(read('assets/search-index.js').length).toBeLessThan(500_000)
})

interface SearchIndex {
  readonly pages: readonly [path: string, title: string][]
  readonly sections: readonly [page: number, heading: string, anchor: string][]
  readonly words: { readonly [word: string]: string }
}

it('llms.txt leads to every page of the navigation, as Markdown', () => {
  const overview = read('llms.txt')
  const listed = [...overview.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file = '']) => file)
  const shown = [...(/<nav[\s\S]*<\/nav>/.exec(read('index.html'))?.[0] ?? '').matchAll(/<li>/g)]
  expect(overview).toMatch(/^# Perigee\n\n> MCP servers in TypeScript: write one once, and .*\.\n/)
  expect(listed.length).toBe(shown.length)
  expect(listed.length).toBeGreaterThan(40)
  expect(listed.filter((file) => !file.endsWith('.md') || !existsSync(join(out, file)))).toEqual([])
})

it('fetches nothing from elsewhere', () => {
  const foreign = html().filter((file) => /<(script|link|img)[^>]*(src|href)="https?:/.test(read(file)))
  expect(foreign).toEqual([])
})

it('is neither committed nor published', () => {
  const ignored = execFileSync('git', ['check-ignore', 'site/dist/index.html'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(ignored.trim()).toBe('site/dist/index.html')
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(files.filter((file: string) => file.startsWith('site'))).toEqual([])
})
