// Markdown to HTML, with the sections that a search finds.
import { Marked } from 'marked'
import { createAnchors, plainText } from './headings.mjs'
import { escapeHtml, highlight } from './highlight.mjs'

/**
 * The HTML of a page and its sections: what stands under each heading, as words. `hrefOf` gives a link's address on the
 * site, `nameHref` that of a name in code, and `exact` makes anchors of headings as they are written.
 */
export function render(markdown, { hrefOf, nameHref, exact = false }) {
  const anchors = createAnchors()
  const sections = []
  const marked = new Marked({ renderer: renderer({ hrefOf, nameHref }) })
  const tokens = marked.lexer(markdown)
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens)
      const anchor = exact ? heading : anchors(heading)
      token.anchor = anchor
      sections.push({ heading, anchor, depth: token.depth, words: '' })
    } else {
      const last = sections.at(-1)
      if (last !== undefined) last.words += ` ${token.raw}`
    }
  }
  return { html: marked.parser(tokens), sections, summary: summaryOf(tokens) }
}

function renderer({ hrefOf, nameHref }) {
  return {
    heading({ tokens, depth, anchor }) {
      const inner = this.parser.parseInline(tokens)
      if (depth === 1 || anchor === undefined) return `<h${depth}>${inner}</h${depth}>\n`
      const label = escapeHtml(`Link to ${plainText(tokens)}`)
      const link = `<a class="anchor" href="#${escapeHtml(anchor)}" aria-label="${label}">#</a>`
      return `<h${depth} id="${escapeHtml(anchor)}">${inner} ${link}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const [language = ''] = lang.split(' ')
      return `<pre tabindex="0"><code>${highlight(text, language, nameHref)}</code></pre>\n`
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`
    },
    image({ href, text }) {
      const address = escapeHtml(hrefOf(href))
      return `<a class="picture" href="${address}"><img src="${address}" alt="${escapeHtml(text)}" loading="lazy"></a>`
    },
    table({ header, rows }) {
      const cells = (row, tag) => row.map((cell) => cellOf(this.parser.parseInline(cell.tokens), tag))
      const line = (row, tag) => `<tr>${cells(row, tag).join('')}</tr>`
      const hasHead = header.some(({ text }) => text !== '')
      const head = hasHead ? `<thead>${line(header, 'th')}</thead>` : ''
      const body = rows.map((row) => line(row, 'td')).join('\n')
      return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
    },
  }
}

/** A head that says nothing is none. */
function cellOf(html, tag) {
  const name = html === '' ? 'td' : tag
  return `<${name}>${html}</${name}>`
}

/** The first paragraph in plain words, for whoever lists pages. */
function summaryOf(tokens) {
  const first = tokens.find((token) => token.type === 'paragraph' && plainText(token.tokens).trim() !== '')
  const text = first === undefined ? '' : plainText(first.tokens).replaceAll(/\s+/g, ' ').trim()
  const [sentence = ''] = /^.*?(?:\.(?=\s|$)|:$)/.exec(text) ?? [text]
  return sentence.replace(/:$/, '.')
}
