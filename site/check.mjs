// Looks at a site that has been built: every link leads to a file that is there, and to a place that is in it. Links in
// the Markdown beside the pages, and in llms.txt, lead to files; their anchors are those of the pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Marked } from 'marked'

/** A sentence for each link that leads nowhere. */
export function findBroken(out) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
  const read = (file) => readFileSync(join(out, file), 'utf8')
  const pages = new Map(files.filter((file) => file.endsWith('.html')).map((file) => [file, read(file)]))
  const anchors = new Map([...pages].map(([file, html]) => [file, idsIn(html)]))
  const plain = files.filter((file) => /\.md$|(^|\/)llms\.txt$/.test(file))
  return [
    ...[...pages].flatMap(([file, html]) =>
      wrongIn(file, linksIn(html), (link) => leads(out, anchors, { file, link })),
    ),
    ...plain.flatMap((file) =>
      wrongIn(file, plainLinksIn(read(file)), (link) => leadsToFile(out, { file, link })),
    ),
  ]
}

function wrongIn(file, links, leads) {
  const wrong = links.filter((link) => !leads(link))
  return [...new Set(wrong)].map((link) => `${file} links to ${link}, which is not on the site`)
}

function idsIn(html) {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => fromHtml(id)))
}

function linksIn(html) {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => fromHtml(link))
}

const marked = new Marked()

function plainLinksIn(markdown) {
  const links = []
  void marked.walkTokens(marked.lexer(markdown), ({ type, href }) => {
    if (type === 'link' || type === 'image') links.push(href)
  })
  return links
}

function leadsToFile(out, { file, link }) {
  const [path = ''] = link.split('#')
  return isElsewhere(link) ? URL.canParse(link) : existsSync(join(out, dirname(file), decoded(path)))
}

function isElsewhere(link) {
  return /^(https?|mailto|data):/.test(link)
}

function leads(out, anchors, { file, link }) {
  if (isElsewhere(link)) return URL.canParse(link)
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : relative(out, join(out, dirname(file), decoded(path)))
  if (!existsSync(join(out, target))) return false
  return anchor === undefined || anchor === '' || (anchors.get(target)?.has(decoded(anchor)) ?? false)
}

/** A path or an anchor as it is meant; what is written wrongly is taken as it stands, and leads nowhere. */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromHtml(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
