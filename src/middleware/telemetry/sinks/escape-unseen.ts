/** Made with the first line. */
let unseen: RegExp | undefined

/** JSON leaves these characters as they are; in a log they could end a line or turn it round. */
export function escapeUnseen(json: string): string {
  unseen ??= /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu
  return json.search(unseen) < 0 ? json : json.replace(unseen, show)
}

/** As JSON itself would: a character beyond the first 65,536 is two. */
function show(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
