/** A sentence for each link that leads nowhere. */
export function findBroken(out: string): readonly string[]
