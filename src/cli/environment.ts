/** The variables of this shell: what was started from it would have them, too. */
export function environment(): { readonly [name: string]: string } {
  const set = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return Object.fromEntries(set) as { readonly [name: string]: string }
}
