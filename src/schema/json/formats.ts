/** What a text of each format looks like. */
const FORMATS = new Map<string, (text: string) => boolean>([
  ['ipv4', (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text)],
])

export function findFormat(name: string): ((text: string) => boolean) | undefined {
  return FORMATS.get(name)
}
