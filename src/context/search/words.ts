/** The words of a text as they are compared: names taken apart, small words left out, endings taken off. */
export function wordsOf(text: string): readonly string[] {
  const apart = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  const words = apart.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : SMALL.has(word) ? [] : [stem(word)]))
}

/** Chinese, Japanese and Korean, which put no spaces between words. */
const UNSPACED = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Two characters each, of which at least one pair is a word more often than not. */
function pairsOf(run: string): readonly string[] {
  return Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2))
}

/** Words that say nothing of what a tool does. */
const SMALL: ReadonlySet<string> = new Set(
  `a an and any are as at be by can do for from has have how i if in into is it its may me my of on or our so such
  than that the their them then there these this those to up us use used using via was we what when where which who
  will with you your`.split(/\s+/),
)

/** Endings that make one word of `list`, `lists`, `listed` and `listing`. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(ss|us|is)$/, '$1'],
  [/ies$/, 'y'],
  [/(x|ch|sh|ss|z)es$/, '$1'],
  [/s$/, ''],
]

const SUFFIXES: readonly (readonly [RegExp, string])[] = [
  [/ations?$/, 'ate'],
  [/ication$/, 'icate'],
  [/(ing|ed|er|or|ion|ment|ly)$/, ''],
  [/y$/, 'i'],
]

/** A word without its endings; what is left need not be a word. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const singular = replaced(word, ENDINGS)
  const bare = replaced(singular, SUFFIXES)
  if (bare.length < 3 || !/[aeiouy]/.test(bare)) return singular
  return bare.replace(/([bdfgklmnprt])\1$/, '$1').replace(/e$/, '')
}

function replaced(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([ending]) => ending.test(word))
  return rule === undefined ? word : word.replace(rule[0], rule[1])
}
