import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { O_PATH } from './confine.ts'
import { endsAsDirectory, findMisspelling, isInside } from './locate.ts'

/** What is read between two turns of the loop. */
const SMALL_BYTES = 64 * 1024

/** Disks of the machine itself, by the numbers that Linux gives to how they are written; what comes over a network may take for ever. */
const OWN_DISKS = new Set([
  0xef53, // ext2, ext3, ext4
  0x01021994, // tmpfs
  0x58465342, // xfs
  0x794c7630, // overlayfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
])

/** Asked once for each root, of which clients may name many. */
const MOST_ROOTS = 100

/**
 * Reads small files at once: a few looks at a disk take less time than handing the first of them to another thread.
 * It looks as closely as `confine.ts`, and leaves whatever is out of the ordinary to it.
 */
export class SmallFiles {
  /** The device of each root; none where it is no disk of this machine. */
  readonly #devices = new Map<string, number | undefined>()

  /** Asks what a root is on; before that, all of it is read the long way. */
  async learn(root: string): Promise<void> {
    if (this.#devices.has(root)) return
    const known = await Promise.all([statfs(root), stat(root)]).catch(() => undefined) // The long way says why.
    if (this.#devices.size >= MOST_ROOTS) this.#devices.clear()
    if (known !== undefined) this.#devices.set(root, OWN_DISKS.has(known[0].type) ? known[1].dev : undefined)
  }

  /** Has something made of all of a file, now, since its bytes are gone with the next one; undefined where only the long way can tell. */
  read<T>(root: string, path: string, make: (bytes: Buffer) => T): T | undefined {
    const device = this.#devices.get(root)
    const size = device === undefined ? undefined : readWhole(root, path, device)
    return size === undefined ? undefined : make(BYTES.subarray(0, size))
  }
}

/** Every file is read to the same place: a buffer for each would be most of what the collector has to do. */
const BYTES = Buffer.allocUnsafeSlow(SMALL_BYTES + 1)

/** How many bytes it has. */
function readWhole(root: string, path: string, device: number): number | undefined {
  if (path.length > LONG_PATH || findMisspelling(path) !== undefined || endsAsDirectory(path))
    return undefined
  const absolute = resolve(root, path)
  if (!isInside(root, absolute)) return undefined
  try {
    // A name for what is there: nothing is opened yet, and from here on nobody can put something else in its place.
    return holding(absolute, NAMED, (name) => readNamed(name, absolute, device))
  } catch {
    return undefined // Why is for the long way to say.
  }
}

function readNamed(name: number, absolute: string, device: number): number | undefined {
  const descriptor = `/proc/self/fd/${name}`
  // No link leads there, and it has not been moved or deleted.
  if (readlinkSync(descriptor) !== absolute) return undefined
  const stats = fstatSync(name)
  if (!stats.isFile() || stats.dev !== device || stats.size > SMALL_BYTES) return undefined
  const size = holding(descriptor, OPENED, (file) => readSync(file, BYTES, 0, stats.size + 1, null))
  return size === stats.size ? size : undefined // Somebody may be writing to it.
}

function holding<T>(path: string, flags: number, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Longer than what is worth taking to pieces on this way. */
export const LONG_PATH = 4096

// O_PATH asks for no right and has no effect, on a FIFO or a device neither; what it names is opened by way of /proc.
const NAMED = O_PATH | constants.O_NOFOLLOW
const OPENED = constants.O_RDONLY | constants.O_NONBLOCK
