// Pages, and parts of pages, that nobody writes: lists of folders, pictures, the files of an example.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, posix } from 'node:path'
import { fenced } from './fence.mjs'
import { filesBeside, isPicture } from './pages.mjs'

const TITLES = { 'docs/decisions': 'Decisions', examples: 'All examples' }
const LANGUAGES = { Dockerfile: 'dockerfile', '.conf': 'nginx', '.cfg': 'haproxy', '.service': 'ini' }

/** What is in a folder: its pages, or its files where it has none. */
export function listingPage(folder, pages, root) {
  const inside = pages.filter(({ source }) => source?.startsWith(`${folder}/`))
  const entries =
    inside.length > 0
      ? inside.map(({ source, title }) => `- [${title}](${posix.relative(folder, source)})`)
      : readdirSync(join(root, folder)).map((file) => `- \`${file}\``)
  const title = TITLES[folder] ?? `${folder}/`
  return {
    source: `${folder}/index.md`,
    path: `${folder}/index.html`,
    plain: `${folder}/index.md`,
    made: `the pages in ${folder}/`,
    title,
    markdown: `# ${title}\n\n${entries.join('\n')}\n`,
    part: folder === 'examples' ? 'Examples' : inside.length > 0 ? 'Project' : 'Source',
    listed: TITLES[folder] !== undefined,
  }
}

/** All pictures, with the words that pages have for them. */
export function galleryPage(root, pages) {
  const folder = 'docs/pictures'
  const files = readdirSync(join(root, folder)).filter(isPicture).sort()
  const everything = pages.map(({ markdown }) => markdown).join('\n')
  const shown = files.map((file) => {
    const [, words = file] = everything.match(new RegExp(`!\\[([^\\]]+)\\]\\([^)]*${file}\\)`)) ?? []
    return `## ${words}\n\n![${words}](${file})`
  })
  const title = 'The console in pictures'
  return {
    source: `${folder}/index.md`,
    path: `${folder}/index.html`,
    made: `the files in ${folder}/`,
    title,
    markdown: `# ${title}\n\nWhat \`--console\` on any server, and \`perigee console\`, show in a browser.\n\n${shown.join('\n\n')}\n`,
    part: 'Manual',
    listed: true,
  }
}

/** A page of results with the chart that stands beside it. */
export function withFigures(root, page) {
  const chart = page.source.replace(/\.md$/, '.svg')
  if (!existsSync(join(root, chart)) || page.markdown.includes(basename(chart))) return page
  const [title = '', ...rest] = page.markdown.split('\n\n')
  const markdown = [title, `![${page.title}, as a chart](${basename(chart)})`, ...rest].join('\n\n')
  return { ...page, markdown }
}

/** The page of an example with the files that it speaks of. */
export function withFiles(root, page) {
  if (!/^examples\/.+\/README\.md$/.test(page.source)) return page
  const shown = filesBeside(root, page.source).map((file) => {
    const language = LANGUAGES[basename(file)] ?? LANGUAGES[extname(file)] ?? extname(file).slice(1)
    const name = posix.relative(posix.dirname(page.source), file)
    return `### ${name}\n\n${fenced(readFileSync(join(root, file), 'utf8'), language)}`
  })
  return shown.length === 0
    ? page
    : { ...page, markdown: `${page.markdown}\n## Files\n\n${shown.join('\n\n')}\n` }
}
