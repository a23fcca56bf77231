import { crc32, deflateRawSync } from 'node:zlib'

/** A file to be packed. */
export interface PackedFile {
  /** With slashes, from the root of the archive. */
  readonly path: string
  readonly bytes: Buffer
  readonly executable: boolean
}

/** Midnight of 1980-01-01, the first that the format knows: the same files are the same bytes whenever they are packed. */
const DATE = 0x21
const VERSION = 20
const UNIX = 3 << 8
const UTF8 = 0x0800
const DEFLATED = 8

/** As far as the format goes without its extensions. */
const MAX_FILES = 65_535

/** A zip archive of files, in the order of their paths. */
export function zip(files: readonly PackedFile[]): Buffer {
  if (files.length > MAX_FILES) throw new Error(`expected at most ${MAX_FILES} files, got ${files.length}`)
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const file of sorted) {
    const { local, central } = pack(file, at)
    parts.push(...local)
    directory.push(central)
    at += lengthOf(local)
  }
  return Buffer.concat([...parts, ...directory, endOf(sorted.length, lengthOf(directory), at)])
}

function pack({ path, bytes, executable }: PackedFile, at: number) {
  const name = Buffer.from(path)
  const packed = deflateRawSync(bytes, { level: 9 })
  const shared = record([
    [2, VERSION],
    [2, UTF8],
    [2, DEFLATED],
    [2, 0], // Its time.
    [2, DATE],
    [4, crc32(bytes)],
    [4, packed.length],
    [4, bytes.length],
    [2, name.length],
    [2, 0], // Nothing extra.
  ])
  const head = record([[4, 0x04034b50]])
  const mode = executable ? 0o100755 : 0o100644
  const rest = record([
    [2, 0], // No remark,
    [2, 0], // on the first disk,
    [2, 0], // and nothing said of its contents.
    [4, mode * 0x10000],
    [4, at],
  ])
  const begin = record([
    [4, 0x02014b50],
    [2, UNIX | VERSION],
  ])
  return { local: [head, shared, name, packed], central: Buffer.concat([begin, shared, rest, name]) }
}

function endOf(count: number, length: number, at: number): Buffer {
  return record([
    [4, 0x06054b50],
    [4, 0], // One disk.
    [2, count],
    [2, count],
    [4, length],
    [4, at],
    [2, 0], // No remark.
  ])
}

/** Numbers of so many bytes each, the lowest byte first. */
function record(fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value >>> 0, at, bytes)
  return buffer
}

const lengthOf = (buffers: readonly Buffer[]) => buffers.reduce((sum, { length }) => sum + length, 0)
