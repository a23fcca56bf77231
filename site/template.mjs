// One page of HTML round what a page says: navigation, search, and what is on the page.
import { posix } from 'node:path'
import { escapeHtml } from './highlight.mjs'

/** The whole HTML of a page; `pages` is everything that may stand in the navigation. */
export function fillIn({ page, pages, version }) {
  const up = posix.relative(posix.dirname(page.path), '.') || '.'
  const home = page.path === 'index.html'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(home ? 'Perigee: MCP servers in TypeScript' : `${page.title} · Perigee`)}</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="${up}/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}/assets/style.css">
<script src="${up}/assets/theme.js"></script>
<script src="${up}/assets/search.js" data-root="${up}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${up}/index.html"><img src="${up}/assets/icon.svg" alt="" width="22" height="22">Perigee <small>${escapeHtml(version)}</small></a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Search results" hidden></ul>
</div>
<button id="theme" type="button" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<details class="menu" open><summary>Menu</summary><nav aria-label="Pages">${navigation(page, pages)}</nav></details>
<main id="content" tabindex="-1">
${page.html}
${footer(page)}
</main>
${contents(page)}
</div>
</body>
</html>
`
}

function navigation(page, pages) {
  const parts = Map.groupBy === undefined ? groupBy(pages) : Map.groupBy(pages, ({ part }) => part)
  return [...parts].map(([part, all]) => block(page, part, all)).join('\n')
}

/** Node 20 has no Map.groupBy. */
function groupBy(pages) {
  const parts = new Map()
  for (const page of pages) parts.set(page.part, [...(parts.get(page.part) ?? []), page])
  return parts
}

function block(page, part, all) {
  const links = all.filter(({ listed }) => listed).map((one) => item(page, one))
  if (links.length === 0) return ''
  return `<h2>${escapeHtml(part)}</h2>\n<ul>${links.join('\n')}</ul>`
}

function item(page, one) {
  const current = one.path === page.path ? ' aria-current="page"' : ''
  return `<li><a href="${escapeHtml(between(page.path, one.path))}"${current}>${escapeHtml(one.name ?? one.title)}</a></li>`
}

/** The way from one page to another. */
export function between(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to)
}

function contents({ sections, exact }) {
  const shown = sections.filter(
    ({ depth }) => depth === 2 || (depth === 3 && (exact || sections.length < 40)),
  )
  if (shown.length < 2) return ''
  const links = shown.map(
    ({ heading, anchor, depth }) =>
      `<li class="deep${depth}"><a href="#${escapeHtml(anchor)}">${escapeHtml(heading)}</a></li>`,
  )
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${links.join('\n')}</ul></aside>`
}

function footer({ source, made = source, plain, text }) {
  const href = escapeHtml(posix.basename(plain))
  const form = text === undefined ? 'as Markdown' : 'as it is'
  return `<footer>Made from ${escapeHtml(made)} · <a href="${href}">${form}</a></footer>`
}
