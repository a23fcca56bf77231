import { ownTurn } from '../../process/own-turn.ts'

interface NamedEntry {
  readonly name: string
}

/** So many are sorted at once: a folder may have a hundred thousand, and nobody else has a turn meanwhile. */
const ATATIME = 1000

/** Things by their names, from one name on; of many only the next ones are sorted, when they are asked for. */
export async function* inOrder<One extends NamedEntry>(
  things: readonly One[],
  from?: string,
): AsyncGenerator<One> {
  let last = from
  let isFirst = true
  for (;;) {
    const next = nextOnes(things, last, isFirst)
    yield* next
    if (next.length < ATATIME) return
    last = next.at(-1)?.name
    isFirst = false
    await ownTurn()
  }
}

/** Keeps the smallest: whenever too many have come together, the rest is let go. */
function nextOnes<One extends NamedEntry>(
  things: readonly One[],
  last: string | undefined,
  including: boolean,
): readonly One[] {
  let kept: One[] = []
  let most: string | undefined
  for (const thing of things) {
    const { name } = thing
    if (last !== undefined && (including ? name < last : name <= last)) continue
    if (most !== undefined && name > most) continue
    kept.push(thing)
    if (kept.length < 4 * ATATIME) continue
    kept = smallest(kept)
    most = kept.at(-1)?.name
  }
  return smallest(kept)
}

function smallest<One extends NamedEntry>(things: One[]): One[] {
  return things.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(0, ATATIME)
}
