import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { linksIn, PAGES, ROOT, readPage } from './markdown.ts'

const pages = new Map(PAGES.map((file) => [file, linksIn(readPage(file))]))

/** Why a link leads nowhere, if it does. */
function wrongWith(file: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return URL.canParse(href) ? undefined : 'is no address'
  const [path = '', anchor] = href.split('#')
  // A new project has us there.
  const ours = /^node_modules\/perigee\/(.*)$/.exec(path)?.[1]
  const target = path === '' ? file : (ours ?? posix.join(posix.dirname(file), decodeURI(path)))
  if (!existsSync(join(ROOT, target))) return 'is not there'
  if (anchor === undefined || statSync(join(ROOT, target)).isDirectory()) return undefined
  return pages.get(target)?.anchors.has(anchor) === true ? undefined : 'has no such heading'
}

it('every link on every page leads to a file, and to a heading that is in it', () => {
  const links = [...pages].flatMap(([file, { hrefs }]) => hrefs.map((href) => ({ file, href })))
  const broken = links.flatMap(({ file, href }) => {
    const wrong = wrongWith(file, href)
    return wrong === undefined ? [] : [`${file}: ${href} ${wrong}`]
  })
  expect(broken).toEqual([])
  expect(links.length).toBeGreaterThan(100)
})

it.each(['docs', 'docs/guide'])('%s/README.md leads to every page beside it', (folder) => {
  const inside = PAGES.filter((file) => posix.dirname(file) === folder && !file.endsWith('/README.md'))
  const listed = (pages.get(`${folder}/README.md`)?.hrefs ?? []).map((href) => posix.join(folder, href))
  expect(inside.length).toBeGreaterThan(5)
  expect(inside.filter((file) => !listed.includes(file))).toEqual([])
})

it('a link that leads nowhere would be seen', () => {
  expect(wrongWith('README.md', 'docs/NOTHING.md')).toBe('is not there')
  expect(wrongWith('README.md', 'docs/AUTHORS.md#nothing')).toBe('has no such heading')
  expect(wrongWith('README.md', 'http://[')).toBe('is no address')
  expect(wrongWith('docs/SCALING.md', 'AUTHORS.md#tools')).toBe(undefined)
})
