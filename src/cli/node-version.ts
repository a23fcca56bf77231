const NEEDED = [20, 19] as const

/** Throws on a Node that is too old. Nothing may use what such a Node lacks before this has been asked. */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  throw new Error(
    `Perigee needs Node ${NEEDED.join('.')} or newer, and this is Node ${version}: see https://nodejs.org`,
  )
}
