let last = Number.NaN
let printed = ''

/** A moment as text; several lines in a row are often of the same one. */
export function printTime(time: number): string {
  if (time !== last) {
    last = time
    printed = new Date(time).toISOString()
  }
  return printed
}
