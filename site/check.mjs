// Looks at a site that has been built: every link leads to a file that is there, and to a place that is in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A sentence for each link that leads nowhere. */
export function findBroken(out) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  const pages = new Map(files.map((file) => [file, readFileSync(join(out, file), 'utf8')]))
  const anchors = new Map([...pages].map(([file, html]) => [file, idsIn(html)]))
  return [...pages].flatMap(([file, html]) => {
    const wrong = linksIn(html).filter((link) => !leads(out, anchors, { file, link }))
    return [...new Set(wrong)].map((link) => `${file} links to ${link}, which is not on the site`)
  })
}

function idsIn(html) {
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => fromHtml(id)))
}

function linksIn(html) {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => fromHtml(link))
}

function leads(out, anchors, { file, link }) {
  if (/^(https?|mailto|data):/.test(link)) return URL.canParse(link)
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : relative(out, join(out, dirname(file), decodeURI(path)))
  if (!existsSync(join(out, target))) return false
  return (
    anchor === undefined || anchor === '' || (anchors.get(target)?.has(decodeURIComponent(anchor)) ?? false)
  )
}

function fromHtml(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
