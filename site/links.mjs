// Where links lead: on the site a file of the repository is at the path it has there.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { decoded } from './check.mjs'
import { fenced } from './fence.mjs'
import { listingPage } from './made-pages.mjs'
import { isPicture, pathOf, readPage } from './pages.mjs'
import { between } from './template.mjs'

/** Knows all pages; what is linked to and has none is made one, and what is there at all is not broken. */
export function createResolver(root, known) {
  const pages = [...known]
  const bySource = new Map(
    known.filter(({ source }) => source !== undefined).map((page) => [page.source, page]),
  )
  const byPath = new Map(known.map((page) => [page.path, page]))
  const copied = new Set()
  const broken = []

  function add(page) {
    pages.push(page)
    byPath.set(page.path, page)
    return page
  }

  function pageOf(target) {
    const folder = statSync(join(root, target)).isDirectory()
    const found = bySource.get(folder ? posix.join(target, 'README.md') : target)
    if (found !== undefined) return found
    const written = target.endsWith('.md')
    const path = folder ? posix.join(target, 'index.html') : written ? pathOf(target) : `${target}.html`
    return byPath.get(path) ?? add(makePage(root, target, { folder, written }))
  }

  function makePage(folder, target, kind) {
    if (kind.folder) return listingPage(target, known, folder)
    if (!kind.written) return sourcePage(folder, target)
    return { ...readPage(folder, target), plain: target, part: 'Source', listed: false }
  }

  return {
    /** All pages, with those that are added while they are gone through. */
    pages: () => pages,
    copied: () => copied,
    broken: () => broken,
    hrefOf(page, href) {
      if (/^[a-z]+:|^#/.test(href) || page.source === undefined) return href
      const [file = '', anchor] = href.split('#')
      const target = posix.join(posix.dirname(page.source), decoded(file))
      if (target.startsWith('..') || !existsSync(join(root, target))) {
        broken.push(`${page.source} links to ${href}, which is not there`)
        return href
      }
      if (isPicture(target)) {
        copied.add(target)
        return between(page.path, target)
      }
      return between(page.path, pageOf(target).path) + (anchor === undefined ? '' : `#${anchor}`)
    },
  }
}

/** A file that is no page, shown as it is; it lies beside it, where the Markdown of others looks for it. */
function sourcePage(root, source) {
  const text = readFileSync(join(root, source), 'utf8')
  const markdown = `# ${source}\n\n${fenced(text, extname(source).slice(1))}\n`
  const path = `${source}.html`
  return { source, path, plain: source, text, title: source, markdown, part: 'Source', listed: false }
}
