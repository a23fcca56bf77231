/** An error that `explaining` will put into words; the code is errno's own or one of REASONS below. */
export function failure(code: keyof typeof REASONS): Error {
  return Object.assign(new Error(code), { code })
}

/** Runs the work; what the file system says against it becomes one sentence about the caller's path. */
export async function explaining<T>(path: string, work: () => Promise<T>, reasons: Reasons = {}): Promise<T> {
  try {
    if (path.length > NO_PATH) throw failure('ENAMETOOLONG')
    return await work()
  } catch (error) {
    const code = codeOf(error)
    // Node's own message names paths of the server, so not even a cause is kept.
    throw code === undefined ? error : new Error(explain(code, path, reasons))
  }
}

/** Longer than a path is anywhere: to take it to pieces would take longer than to refuse it. */
const NO_PATH = 32_768

/** As long as a path may be on Linux; what is longer is of no file, and of little use in a message. */
const MAX_PATH = 4096

/** What a code says against a path as it is shown. */
type Reasons = { readonly [code: string]: (path: string) => string }

/** What a code says against a path, in one sentence; `reasons` know more than the usual ones. */
export function explain(code: string, path: string, reasons: Reasons = {}): string {
  const shown = printPath(path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path)
  const known: Reasons = { ...REASONS, ...reasons }
  const reason = Object.hasOwn(known, code) ? known[code] : undefined
  return reason ? reason(shown) : `${shown} could not be used (${code})`
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The caller's path as messages show it. */
export function printPath(path: string): string {
  return path === '' ? '.' : printName(path)
}

/** One name on one line: a name that could break the line is shown with JSON's escapes. */
export function printName(name: string): string {
  if (name.search(LINE_BREAKING) === -1) return name
  return JSON.stringify(name).slice(1, -1).replace(LINE_BREAKING, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/gu

const denied = (path: string) => `Permission denied for ${path}`
const full = (path: string) => `There is no space left to write ${path}`
const busy = (path: string) => `Too many files are open to reach ${path}`

const REASONS = {
  OUTSIDE: (path: string) => `${path} is outside the root`,
  DOT_DOT: (path: string) => `${path} contains "..", which could lead outside the root`,
  NUL: (path: string) => `${path} contains a NUL byte`,
  HALF: (path: string) => `${path} contains half a character (a lone surrogate), which no name can have`,
  DANGLING: (path: string) => `${path} is a symbolic link that leads nowhere`,
  LINKED_DIRECTORY: (path: string) => `${path} is a link to a directory, and those are not followed`,
  NOT_REGULAR: (path: string) => `${path} is not a regular file`,
  NOT_DIRECTORY: (path: string) => `${path} is not a directory`,
  TOO_LARGE: (path: string) => `${path} is too large`,
  NOT_TEXT: (path: string) => `${path} is not UTF-8 text`,
  NO_PARENT: (path: string) => `The parent directory of ${path} was not found`,
  ROOT: (path: string) => `${path} is a root, and stays where it is`,
  SAME: (path: string) => `${path} is the same file`,
  DIRECTORY_STAYS: (path: string) => `${path} is there already, and no directory is overwritten`,
  TAKEN: (path: string) => `${path} is there already`,
  ENOTEMPTY: (path: string) => `${path} is a directory that is not empty`,
  EXDEV: (path: string) => `${path} is on another file system: copy the file there instead`,
  INTO_ITSELF: (path: string) => `${path} lies inside what would be moved`,
  ENOENT: (path: string) => `${path} was not found`,
  EISDIR: (path: string) => `${path} is a directory, not a file`,
  ENOTDIR: (path: string) => `Part of ${path} is not a directory`,
  ELOOP: (path: string) => `${path} leads through too many symbolic links`,
  ENAMETOOLONG: (path: string) => `The name ${path} is too long`,
  EACCES: denied,
  EPERM: denied,
  EROFS: (path: string) => `${path} is on a read-only file system`,
  EFBIG: (path: string) => `The content is too large for ${path}`,
  ENOSPC: full,
  EDQUOT: full,
  EMFILE: busy,
  ENFILE: busy,
}
