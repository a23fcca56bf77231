import { stem } from './words.ts'

/**
 * Words that people and tools use for one thing: what tools do, and the things they do it with. They say what words
 * mean and nothing of any tool; a tool that has the very word comes first all the same.
 */
const KIN: readonly string[] = `
get fetch retrieve obtain read load
create make generate build new draft compose produce
write save store put
add insert append attach
delete remove erase drop clear
find search lookup query locate discover seek
list show enumerate display view
update edit change modify set
convert transform translate turn
send post submit share
navigate go visit open browse
run execute start launch
compute calculate
check verify validate
summary summarize overview
plot draw chart graph visualize render
picture image photo screenshot
ppt pptx powerpoint presentation slide deck
doc docx word document
xls xlsx excel spreadsheet workbook
csv table
folder directory
text txt content
site website web webpage page url
wiki wikipedia
info information detail
trend hot popular top rank
movie film video
mail email message
repo repository
db database sql
ticket booking reservation
price cost quote
stock share ticker
company firm
road route direction
address location place geocode
calendar date schedule almanac
weather forecast
package library module
code source program
article paper`
  .trim()
  .split('\n')

const OF = new Map<string, Set<string>>()

for (const line of KIN) {
  const words = line.split(' ').map(stem)
  for (const word of words) {
    const others = OF.get(word) ?? new Set()
    OF.set(word, others)
    for (const other of words) if (other !== word) others.add(other)
  }
}

const NONE: ReadonlySet<string> = new Set()

export function kinOf(word: string): ReadonlySet<string> {
  return OF.get(word) ?? NONE
}

/** Words of a vocabulary that somebody may have meant by one that is not in it: a beginning, or a slip of the pen. */
export function nearTo(word: string, vocabulary: Iterable<string>): readonly string[] {
  if (word.length < 4) return []
  const near: string[] = []
  for (const other of vocabulary) if (other.length > 3 && isNear(word, other)) near.push(other)
  return near
}

function isNear(word: string, other: string): boolean {
  if (other.startsWith(word) || (other.length > 4 && word.startsWith(other))) return true
  const slips = word.length > 6 ? 2 : 1
  if (word.length < 5 || word[0] !== other[0] || Math.abs(word.length - other.length) > slips) return false
  return slipsBetween(word, other) <= slips
}

/** How many letters were left out, added, mistaken or swapped. */
function slipsBetween(word: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const same = word[row - 1] === other[at - 1]
      const swapped = row > 1 && at > 1 && word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
