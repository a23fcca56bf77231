import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import type { Script } from 'node:vm'

/** Of one body: one for each Node that the package is run with. */
const MAX_KEPT = 8

/**
 * Keeps what V8 has compiled of a body beside the package's own code, which whoever can write there could change as
 * well. Where nothing can be written the next start is as slow as this one, and nobody needs to be told.
 */
export async function keepCompiled(script: Script, file: URL): Promise<void> {
  const unfinished = new URL(`${file.href}.${process.pid}-${process.hrtime.bigint()}.new`)
  try {
    if (!(await isOwner(new URL('../..', file)))) return
    for (const folder of [new URL('..', file), new URL('.', file)]) await makeFolder(folder)
    await write(unfinished, script.createCachedData())
    await rename(unfinished, file)
    await forgetOlder(new URL('.', file))
    await forgetOthers(file)
  } catch {
    await rm(unfinished, { force: true }).catch(() => {})
  }
}

/** What another user leaves in a package keeps its owner from removing it. */
async function isOwner(folder: URL): Promise<boolean> {
  const { getuid } = process
  return getuid === undefined || (await stat(folder)).uid === getuid.call(process)
}

/** Whoever may read the code may read this, whatever the umask of who came first. */
async function makeFolder(folder: URL): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined) await chmod(folder, 0o755)
}

/** Twice, so that damage can be seen; and it is on the disk before it has its name. */
async function write(file: URL, data: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(Buffer.concat([data, data]))
    await handle.chmod(0o644)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** What was kept of the same body when its text was another, as before an upgrade. */
async function forgetOlder(folder: URL): Promise<void> {
  const own = nameOf(folder)
  const [body] = own.split('-')
  const all = await readdir(new URL('..', folder))
  await forget(
    new URL('..', folder),
    all.filter((name) => name !== own && name.split('-')[0] === body),
  )
}

/** What was never finished; and all that is for other Nodes once there are many, since some will be gone. */
async function forgetOthers(file: URL): Promise<void> {
  const others = (await readdir(new URL('.', file))).filter((name) => name !== nameOf(file))
  const spare = others.length < MAX_KEPT ? others.filter((name) => name.endsWith('.new')) : others
  await forget(new URL('.', file), spare)
}

async function forget(folder: URL, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(new URL(name, folder), { recursive: true, force: true })
}

function nameOf({ pathname }: URL): string {
  return pathname.split('/').findLast(Boolean) ?? ''
}
