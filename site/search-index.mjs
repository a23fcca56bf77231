// What the search looks in: for each word the sections that have it, small enough to be fetched when somebody searches.

/** The index as a script, which a page can load from a file as well as from a server. */
export function writeIndex(pages) {
  const sections = pages.flatMap((page, at) =>
    page.sections.map(({ heading, anchor, depth, words }) => {
      // A page is also found by what its file is called.
      const named = depth === 1 ? `${words} ${page.path.replaceAll(/[-/.]/g, ' ')}` : words
      return { page: at, heading, anchor, depth, words: named }
    }),
  )
  const index = {
    pages: pages.map(({ path, title }) => [path, title]),
    sections: sections.map(({ page, heading, anchor, depth }) => [page, heading, depth === 1 ? '' : anchor]),
    ...wordsOf(sections),
  }
  return `searchIndex = ${JSON.stringify(index)}\n`
}

/** By word, the numbers of its sections, each as the distance from the one before; words of too many only by name. */
function wordsOf(sections) {
  const found = new Map()
  for (const [number, { heading, words }] of sections.entries()) {
    for (const word of new Set(split(`${heading} ${words}`))) {
      if (!found.has(word)) found.set(word, [])
      found.get(word).push(number)
    }
  }
  const all = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  const isRare = ([, numbers]) => numbers.length < sections.length / 4
  return {
    words: Object.fromEntries(all.filter(isRare).map(([word, numbers]) => [word, distances(numbers)])),
    common: all.filter((one) => !isRare(one)).map(([word]) => word),
  }
}

function distances(numbers) {
  return numbers.map((number, at) => (number - (numbers[at - 1] ?? 0)).toString(36)).join(' ')
}

/** Words, and the words that a name in camel case is made of. */
function split(text) {
  const names = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return names.flatMap((name) => {
    const parts = name.split(/(?<=\p{Ll})(?=\p{Lu})/u)
    return [name, ...(parts.length > 1 ? parts : [])]
      .map((one) => one.toLowerCase())
      .filter((one) => one.length > 1)
  })
}
