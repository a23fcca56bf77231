import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { createAnchors, plainText } from '../../site/headings.mjs'

export const ROOT = join(import.meta.dirname, '..', '..')

export interface CodeBlock {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** Can be the name of a file. */
  readonly name: string
}

/** Every page that is written for readers; what tests read is none, beside the page about them. */
export const PAGES: readonly string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !/^(test(?!\/README\.md$)|src)\//.test(file))

export function readPage(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The headings of a page, by which they are linked to, and where its own links lead. */
export interface PageLinks {
  readonly anchors: ReadonlySet<string>
  readonly hrefs: readonly string[]
}

const marked = new Marked()

export function linksIn(markdown: string): PageLinks {
  const anchorOf = createAnchors()
  const anchors = new Set<string>()
  const hrefs: string[] = []
  void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
    if (token.type === 'heading') anchors.add(anchorOf(plainText((token as Tokens.Heading).tokens)))
    if (token.type === 'link' || token.type === 'image') hrefs.push((token as Tokens.Link).href)
  })
  return { anchors, hrefs }
}

export function blocksIn(file: string): readonly CodeBlock[] {
  const page = readPage(file)
  return [...page.matchAll(/^( *)(`{3,})([^`\n]*)\n([\s\S]*?)^\1\2$/gm)].map((match, index) => ({
    file,
    line: page.slice(0, match.index).split('\n').length,
    language: (match[3] ?? '').trim(),
    text: (match[4] ?? '').replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
    name: `${file.replaceAll(/\W/g, '-')}-${index + 1}`,
  }))
}

export const BLOCKS: readonly CodeBlock[] = PAGES.flatMap(blocksIn)
