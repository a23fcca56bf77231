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
