import type { Script } from 'node:vm'

/** By then what a start runs has run, and is among what V8 has compiled. */
const KEPT_AFTER_MS = 1000

const fs = () => process.getBuiltinModule('node:fs')

/** A file of what is published that Node compiles as a script: it is given what it imports, and tells what it exports. */
type Body = (...given: readonly unknown[]) => void

/** Gives what a body evaluates to, with what V8 has compiled of it in an earlier process where that is kept. */
export function runBody(body: URL): Body {
  if (process.getBuiltinModule === undefined) refuseOld(process)
  const { env, execArgv, versions, platform, arch } = process
  const { Script } = process.getBuiltinModule('node:vm') // To import it would take longer than to run it.
  const text = fs().readFileSync(body, 'utf8')
  const isOff = Boolean(env['NODE_DISABLE_COMPILE_CACHE'] || env['NODE_V8_COVERAGE'])
  const name = body.pathname.slice(body.pathname.lastIndexOf('/') + 1, -'.js'.length)
  // Of a text that somebody has changed in place V8 would look at the length alone.
  const changed = fs().statSync(body).mtimeMs.toString(36)
  const file = new URL(`../.cache/${name}/${versions.v8}-${platform}-${arch}-${changed}`, body)
  const cachedData = isOff ? undefined : readKept(file)
  const script = new Script(text, { filename: body.href, ...(cachedData && { cachedData }) })
  const made: unknown = script.runInThisContext()
  // Who loads modules in a context of its own, as Jest does, has a `Promise` of its own as well.
  // oxlint-disable-next-line typescript/no-implied-eval -- It is a file of this package.
  if (!(made instanceof Function)) return new Function(`return ${text}//# sourceURL=${body.href}`)() as Body
  const isUsual = execArgv.length === 0 && !env['NODE_OPTIONS'] // With other flags V8 takes only what had the same.
  const isMissing = cachedData === undefined || script.cachedDataRejected === true
  if (isMissing && isUsual && !isOff) keepLater(script, file)
  return made as Body // The build wrote it, and so it is above.
}

/** The first thing that an old Node lacks; a command says so in a line of its own, as it does of everything else. */
function refuseOld({ argv, versions, stderr }: NodeJS.Process): never {
  const needed = versions.node.startsWith('22.') ? '22.3' : '20.19'
  const said = `Perigee needs Node ${needed} or newer, and this is Node ${versions.node}: see https://nodejs.org`
  const [, command] = /[\\/]\.?bin[\\/]([\w-]+)(?:\.js)?$/.exec(argv[1] ?? '') ?? []
  if (command === undefined) throw new Error(said)
  stderr.write(`${command}: ${said}\n`)
  process.exit(1)
}

/** V8 looks at no checksum, and dies of what is damaged; so all of it is there twice. */
function readKept(file: URL): Buffer | undefined {
  try {
    if (!fs().statSync(file).isFile()) return undefined // One that is a pipe would be waited for.
    const twice = fs().readFileSync(file)
    const half = twice.subarray(0, twice.length / 2)
    return half.equals(twice.subarray(half.length)) ? half : undefined
  } catch {
    return undefined // Nothing has been kept, or it is not ours to read.
  }
}

/** By Node's own timers: those that a test has put in their place are not to see one more. */
function keepLater(script: Script, file: URL): void {
  const { setTimeout } = process.getBuiltinModule('node:timers')
  const keep = async () => (await import('./keep-compiled.ts')).keepCompiled(script, file)
  setTimeout(() => void keep().catch(() => {}), KEPT_AFTER_MS).unref() // The package may have been removed.
}
