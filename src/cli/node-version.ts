/** The first import of every command: what comes after it does not run on an older Node, and would not say why. */
const NEEDED = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Perigee needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node}: see https://nodejs.org\n`,
  )
  process.exit(1)
}
