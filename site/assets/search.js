// Finds sections by their words, without a server: the index is loaded when somebody begins to search.
const root = document.currentScript.dataset.root
const input = document.querySelector('#search')
const list = document.querySelector('#found')
const MOST = 12
let index
let chosen = -1

input.addEventListener('focus', load, { once: true })
input.addEventListener('input', () => load().then(show))
input.addEventListener('keydown', (event) => KEYS[event.key]?.(event))
input.addEventListener('blur', () => setTimeout(close, 150))
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return
  event.preventDefault()
  input.focus()
})

const KEYS = {
  ArrowDown: (event) => choose(event, chosen + 1),
  ArrowUp: (event) => choose(event, chosen - 1),
  Enter: () => (list.children[Math.max(chosen, 0)]?.querySelector('a') ?? input).click(),
  Escape: () => {
    input.value = ''
    list.replaceChildren()
    close()
  },
}

function load() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}/assets/search-index.js`
    script.onload = () => resolve(globalThis.searchIndex)
    script.onerror = () => reject(new Error('the search index is not there'))
    document.head.append(script)
  })
  return index
}

/** The sections that have all words that tell sections apart, those first that have them in their heading. */
function find({ pages, sections, words, common }, text) {
  const wanted = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = wanted.filter((word) => !common.includes(word))
  const hits = (telling.length > 0 ? telling : wanted).map((word) => sectionsWith(words, word))
  const [first = new Set(), ...others] = hits
  const all = [...first].filter((number) => others.every((hit) => hit.has(number)))
  return all
    .map((number) => ({ number, score: scoreOf(sections[number], pages, wanted) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, MOST)
    .map(({ number }) => {
      const [page, heading, anchor] = sections[number]
      const [path, title] = pages[page]
      return {
        href: `${root}/${path}${anchor && `#${anchor}`}`,
        title,
        heading: heading === title ? '' : heading,
      }
    })
}

function sectionsWith(words, begun) {
  const found = new Set()
  for (const [word, distances] of Object.entries(words)) {
    if (!word.startsWith(begun)) continue
    let number = 0
    for (const distance of distances.split(' ')) {
      number += Number.parseInt(distance, 36)
      found.add(number)
    }
  }
  return found
}

function scoreOf([page, heading, anchor], pages, wanted) {
  const [path, title] = pages[page]
  const said = heading.toLowerCase()
  const exact = said === wanted.join(' ') ? 8 : 0
  const inHeading = wanted.filter((word) => said.includes(word)).length * 3
  const called = `${title} ${path}`.toLowerCase()
  const inTitle = wanted.filter((word) => called.includes(word)).length * 2
  const old = /decisions|CHANGELOG/.test(path) ? 3 : 0
  return exact + inHeading + inTitle + (anchor === '' ? 1 : 0) - old
}

function show(loaded) {
  const found = input.value.trim() === '' ? [] : find(loaded, input.value)
  list.replaceChildren(...found.map(item))
  if (found.length === 0 && input.value.trim() !== '') list.append(nothing())
  list.hidden = input.value.trim() === ''
  input.setAttribute('aria-expanded', String(!list.hidden))
  mark(-1)
}

function item({ href, title, heading }, number) {
  const li = document.createElement('li')
  li.role = 'option'
  li.id = `found-${number}`
  const link = document.createElement('a')
  link.href = href
  link.tabIndex = -1
  link.append(Object.assign(document.createElement('b'), { textContent: heading || title }))
  if (heading) link.append(Object.assign(document.createElement('small'), { textContent: title }))
  li.append(link)
  return li
}

function nothing() {
  return Object.assign(document.createElement('li'), { textContent: 'Nothing found', role: 'option' })
}

function choose(event, number) {
  event.preventDefault()
  const last = list.querySelectorAll('a').length - 1
  if (last >= 0) mark(Math.max(0, Math.min(number, last)))
}

function mark(number) {
  chosen = number
  for (const [at, li] of [...list.children].entries()) li.setAttribute('aria-selected', String(at === number))
  if (number < 0) input.removeAttribute('aria-activedescendant')
  else input.setAttribute('aria-activedescendant', `found-${number}`)
  list.children[number]?.scrollIntoView({ block: 'nearest' })
}

function close() {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
}
