/** A new moon, and from one to the next. */
const [NEW_MOON, SYNODIC_MS] = [Date.UTC(2000, 0, 6, 18, 14), 29.530588853 * 86_400_000]

/** How far the Moon is from new to new, from 0 to 1: near enough for a mark. */
export function moonPhase(time: number): number {
  const turns = (time - NEW_MOON) / SYNODIC_MS
  return turns - Math.floor(turns)
}

/** The lit part of a disc of this radius around the origin, as a path. */
export function litPath(phase: number, radius: number): string {
  const waxing = phase < 0.5
  const bulge = Math.cos(2 * Math.PI * phase) * radius
  const limb = `A${radius},${radius} 0 0 ${waxing ? 1 : 0} 0,${radius}`
  const inner = `A${Math.abs(bulge).toFixed(2)},${radius} 0 0 ${bulge > 0 === waxing ? 0 : 1} 0,${-radius}`
  return `M0,${-radius}${limb}${inner}Z`
}
