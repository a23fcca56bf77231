import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const PAGES = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...['docs/FAULTS.md', 'docs/ROUGH-EDGES.md', 'docs/VERSIONING.md'],
]

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('names files that are there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) => join(dirname(page), to))
    const quoted = [...text.matchAll(/`((?:src|test|docs|scripts|templates|bench)\/[\w./-]+)`/g)]
    const places = [...links, ...quoted.map(([, to = '']) => to)]
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([])
  })

  it('names titles that are there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const missing = links.filter(([, to = '', title = '']) => {
      const other = readFileSync(to === '' ? join(ROOT, page) : join(ROOT, dirname(page), to), 'utf8')
      return !titlesOf(other).includes(title)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it('names commands that are there', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

/** As GitHub makes them. */
function titlesOf(text: string): readonly string[] {
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('is looked at by the checks that everybody can run', () => {
  const workflow = readFileSync(join(ROOT, '.github', 'workflows', 'ci.yml'), 'utf8')
  expect(workflow).toMatch(/- run: \.ci\/run$/m)
})
