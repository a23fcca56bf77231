// Builds the site: everything in docs/, examples/ and bench/results/, the reference and a search, as plain files that
// any server can serve, or nobody. `node site/build.mjs [folder]`; without one, into site/dist.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findBroken } from './check.mjs'
import { createResolver } from './links.mjs'
import { writeOverview } from './llms.mjs'
import { galleryPage, listingPage, withFigures, withFiles } from './made-pages.mjs'
import { render } from './markdown.mjs'
import { collectPages } from './pages.mjs'
import { createReference } from './reference/pages.mjs'
import { writeIndex } from './search-index.mjs'
import { fillIn } from './template.mjs'

const ROOT = join(import.meta.dirname, '..')
/** Written first, so that a folder that has it is a site, whole or begun, and may be made anew. */
const MARK = 'assets/search-index.js'
const out = resolve(process.argv[2] ?? join(ROOT, 'site', 'dist'))
refuseWhatIsNoSite()
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const written = collectPages(ROOT).map((page) => withFiles(ROOT, withFigures(ROOT, page)))
const pages = inOrder([
  ...written,
  galleryPage(ROOT, written),
  ...listings(['docs/decisions', 'examples']),
  ...createReference(ROOT),
])

const resolver = createResolver(ROOT, pages)
const rendered = []
// Whatever a page links to that has no page yet, such as a source file, gets one.
for (const page of resolver.pages()) {
  const hrefOf = (href) => resolver.hrefOf(page, href)
  rendered.push({ ...page, ...render(page.markdown, { ...page, hrefOf }) })
}

rmSync(out, { recursive: true, force: true })
write(MARK, writeIndex(rendered.filter(({ part }) => part !== 'Source')))
for (const page of rendered) {
  write(page.path, fillIn({ page, pages, version }))
  write(page.plain, page.text ?? page.markdown)
}
for (const file of resolver.copied()) cpSync(join(ROOT, file), place(file))
cpSync(join(ROOT, 'site', 'assets'), join(out, 'assets'), { recursive: true })
write('llms.txt', writeOverview(rendered))

const broken = [...resolver.broken(), ...findBroken(out)]
for (const one of broken) console.error(one)
console.log(`${rendered.length} pages in ${out}, ${broken.length} broken links`)
if (broken.length > 0) process.exitCode = 1

/** What is in the folder goes away, so it must be a site, or nothing. */
function refuseWhatIsNoSite() {
  if (!existsSync(out) || existsSync(join(out, MARK))) return
  if (readdirSync(out).length === 0) return
  console.error(`${out} has something in it that is no site: name a folder that is empty, or not there yet`)
  process.exit(1)
}

function listings(folders) {
  const without = folders.filter((folder) => !written.some(({ source }) => source === `${folder}/README.md`))
  return without.map((folder) => listingPage(folder, written))
}

/** The reference stands before what is measured, and what is made stands with the part it belongs to. */
function inOrder(all) {
  const order = ['Start here', 'Manual', 'Examples', 'Reference', 'Measured', 'Project', 'Decisions']
  return all
    .map((page, at) => ({ page, at }))
    .sort((a, b) => order.indexOf(a.page.part) - order.indexOf(b.page.part) || a.at - b.at)
    .map(({ page }) => ({ plain: page.source ?? page.path.replace(/\.html$/, '.md'), ...page }))
}

function write(path, text) {
  writeFileSync(place(path), text)
}

function place(path) {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  return file
}
