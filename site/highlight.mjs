// Code with its colours, at build time: comments, strings, numbers and words that a language has, and no more.
const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const HASHES = String.raw`(?<=^|\s)#[^\n]*`
const STRINGS = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`
const TEMPLATES = String.raw`\x60(?:\\.|[^\x60\\])*\x60`
const NUMBERS = String.raw`(?<![\w$-])-?\d[\w.]*`
const NAMES = String.raw`[A-Za-z_$][\w$]*`

const TYPESCRIPT =
  'abstract as asserts async await break case catch class const continue declare default delete do else export extends false finally for from function get if implements import in infer instanceof interface is keyof let new null of private readonly return satisfies set static super switch this throw true try type typeof undefined unknown using var void while yield boolean never number object string any'
const SHELL = 'cd do done export fi for if in then'

const script = { comments: SLASHES, strings: `${STRINGS}|${TEMPLATES}`, words: words(TYPESCRIPT) }
const hashed = { comments: HASHES, strings: STRINGS, words: words('true false null') }

const LANGUAGES = {
  ts: script,
  js: script,
  json: { comments: SLASHES, strings: STRINGS, words: words('true false null') },
  sh: { comments: HASHES, strings: STRINGS, words: words(SHELL) },
  yaml: hashed,
  nginx: hashed,
  haproxy: hashed,
  caddyfile: hashed,
  dockerfile: { ...hashed, words: words('FROM COPY RUN USER WORKDIR ENV ENTRYPOINT CMD ARG EXPOSE') },
  ini: hashed,
}
const ALIASES = {
  mts: 'ts',
  tsx: 'ts',
  mjs: 'js',
  cjs: 'js',
  jsx: 'js',
  jsonc: 'json',
  bash: 'sh',
  yml: 'yaml',
}

/** HTML of a piece of code; `hrefOf` gives the address that a name leads to, if there is one. */
export function highlight(code, language, hrefOf = () => undefined) {
  const rules = LANGUAGES[ALIASES[language] ?? language]
  if (rules === undefined) return escapeHtml(code)
  const pattern = new RegExp(
    `(?<comment>${rules.comments})|(?<string>${rules.strings})|(?<number>${NUMBERS})|(?<name>${NAMES})`,
    'gm',
  )
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    html += escapeHtml(code.slice(end, match.index)) + paint(match.groups, rules, hrefOf)
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

function paint({ comment, string, number, name }, rules, hrefOf) {
  if (comment !== undefined) return mark('c', comment)
  if (string !== undefined) return mark('s', string)
  if (number !== undefined) return mark('n', number)
  if (rules.words.has(name)) return mark('k', name)
  const href = hrefOf(name)
  return href === undefined ? escapeHtml(name) : `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>`
}

function mark(kind, text) {
  return `<span class="${kind}">${escapeHtml(text)}</span>`
}

function words(list) {
  return new Set(list.split(' '))
}

export function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
