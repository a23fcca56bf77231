/** Those who come next, of many who come round in turn: they go to the end, so that all have come before one comes again. */
export function nextRound<Key, Value>(all: Map<Key, Value>, most: number): readonly Key[] {
  const round: Key[] = []
  for (const key of all.keys()) {
    if (round.length === most) break
    round.push(key)
  }
  for (const key of round) {
    const value = all.get(key) as Value // It was there a moment ago.
    all.delete(key)
    all.set(key, value)
  }
  return round
}
