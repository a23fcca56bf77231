/** Who has the most of something that there is no more room for, one more of the newcomer's counted: all of them, where several have as much. */
export function mostHeld(owners: Iterable<string>, newcomer: string): ReadonlySet<string> {
  const counts = new Map([[newcomer, 1]])
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return new Set([...counts].flatMap(([owner, count]) => (count === most ? [owner] : [])))
}
