import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { expect, it } from 'vitest'
import { createAnchors, plainText } from '../../site/headings.mjs'
import { PAGES, ROOT, readPage } from './markdown.ts'

const marked = new Marked()

interface Links {
  readonly anchors: ReadonlySet<string>
  readonly hrefs: readonly string[]
}

const pages = new Map(PAGES.map((file) => [file, linksIn(readPage(file))]))

function linksIn(markdown: string): Links {
  const anchorOf = createAnchors()
  const anchors = new Set<string>()
  const hrefs: string[] = []
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'heading') anchors.add(anchorOf(plainText((token as Tokens.Heading).tokens)))
    if (token.type === 'link' || token.type === 'image') hrefs.push((token as Tokens.Link).href)
  })
  return { anchors, hrefs }
}

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

it('a link that leads nowhere would be seen', () => {
  expect(wrongWith('README.md', 'docs/NOTHING.md')).toBe('is not there')
  expect(wrongWith('README.md', 'docs/AUTHORS.md#nothing')).toBe('has no such heading')
  expect(wrongWith('README.md', 'http://[')).toBe('is no address')
  expect(wrongWith('docs/SCALING.md', 'AUTHORS.md#tools')).toBe(undefined)
})
