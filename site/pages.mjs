// Which pages there are: by folder, so that whatever is written there is on the site. A page has the path that its
// Markdown has in the repository, which is why links between them need no table.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'

/** The parts of the site, in the order of its navigation. */
const PARTS = [
  { name: 'Start here', folder: 'docs/guide', also: ['README.md'] },
  { name: 'Manual', folder: 'docs' },
  { name: 'Examples', folder: 'examples', each: 'README.md' },
  { name: 'Measured', folder: 'bench/results' },
  { name: 'Project', folder: '.' },
  { name: 'Decisions', folder: 'docs/decisions', listed: false },
]

/** Every page that is written by hand, with the part it belongs to; `listed` ones stand in the navigation. */
export function collectPages(root) {
  const seen = new Set()
  return PARTS.flatMap(({ name: part, folder, also = [], each, listed = true }) => {
    const files = [...also, ...(each === undefined ? markdownIn(root, folder) : eachIn(root, folder, each))]
    const fresh = files.filter((file) => !seen.has(file) && seen.add(file))
    return fresh.map((source) => ({ ...readPage(root, source), part, listed }))
  })
}

export function readPage(root, source) {
  const markdown = readFileSync(join(root, source), 'utf8')
  const [, title = source] = /^# (.*)$/m.exec(markdown) ?? []
  return { source, path: pathOf(source), title: title.replaceAll('`', ''), markdown }
}

/** `docs/guide/README.md` is the folder's own page, and gives the order of the others. */
function markdownIn(root, folder) {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'))
  const index = files.includes('README.md') ? readFileSync(join(root, folder, 'README.md'), 'utf8') : ''
  const place = (file) => {
    const at = file === 'README.md' ? 0 : index.indexOf(`](${file}`)
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
  const sorted = files.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return sorted.map((file) => posix.join(folder, file))
}

function eachIn(root, folder, file) {
  if (!existsSync(join(root, folder))) return []
  const folders = readdirSync(join(root, folder), { withFileTypes: true }).filter((one) => one.isDirectory())
  const below = folders
    .map(({ name }) => posix.join(folder, name, file))
    .filter((one) => existsSync(join(root, one)))
  const own = posix.join(folder, file)
  return [...(existsSync(join(root, own)) ? [own] : []), ...below.sort()]
}

/** Where a file of the repository is on the site: `docs/AUTHORS.html`, and `index.html` for what stands for its folder. */
export function pathOf(source) {
  const path = posix.normalize(source)
  if (/(^|\/)README\.md$/.test(path)) return path.replace(/README\.md$/, 'index.html')
  return path.endsWith('.md') ? path.replace(/\.md$/, '.html') : path
}

const SHOWN = new Set(['.png', '.svg', '.gif', '.jpg', '.webp'])

export function isPicture(path) {
  return SHOWN.has(extname(path))
}

/** The files of an example beside its page, which show what it is. */
export function filesBeside(root, source) {
  const folder = posix.dirname(source)
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .map((file) => posix.join(folder, file))
    .filter(
      (file) =>
        !file.includes('node_modules/') && !file.includes('package-lock') && isShort(join(root, file)),
    )
    .filter((file) => !file.endsWith('README.md') && !isPicture(file))
    .sort()
}

function isShort(path) {
  const found = statSync(path)
  return found.isFile() && found.size < 32 * 1024
}
