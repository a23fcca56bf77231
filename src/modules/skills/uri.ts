const SCHEME = 'skill://'

/** The URI of a file or folder, by its path from the root. */
export function printUri(path: string): string {
  return SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

/** The path from the root, or undefined where a URI cannot be one of ours. */
export function parseUri(uri: string): string | undefined {
  if (!uri.startsWith(SCHEME)) return undefined
  const names = uri.slice(SCHEME.length).split('/').map(decode)
  return names.every(isName) ? names.join('/') : undefined
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined // A stray percent sign: no URI that we print has one.
  }
}

/** Each part is looked at after it is decoded, so that no encoding hides a way out. */
function isName(name: string | undefined): name is string {
  return name !== undefined && name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)
}
