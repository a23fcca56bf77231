export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * share
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Three digits that mean something, and thousands apart. */
export function printNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ')
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
