import { stem } from './words.ts'

/** Words for what is done, by the kind of deed: what looks at something is not what makes it, or takes it away. */
const KINDS: readonly string[] = `
get fetch retrieve obtain read load view show display check list enumerate find search lookup query locate discover seek look
create make generate build new draft compose produce write save store put add insert append attach draw plot
delete remove erase drop clear
update edit change modify set
convert transform translate turn
run execute start launch
navigate go visit open browse click fill
send post submit share`
  .trim()
  .split('\n')

const KIND_OF = new Map(KINDS.flatMap((line, kind) => line.split(' ').map((word) => [stem(word), kind])))

/** The kind of deed that words are about: that of the first one that says any. */
export function deedOf(words: readonly string[]): number | undefined {
  for (const word of words) {
    const kind = KIND_OF.get(word)
    if (kind !== undefined) return kind
  }
  return undefined
}
