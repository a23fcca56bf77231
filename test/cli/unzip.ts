import { crc32, inflateRawSync } from 'node:zlib'

/** What is in a zip archive, by its directory; throws where anything does not fit together. */
export function unzip(
  archive: Buffer,
): ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: number }> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const count = archive.readUInt16LE(end + 10)
  const files = new Map<string, { bytes: Buffer; mode: number }>()
  let at = archive.readUInt32LE(end + 16)
  if (at + archive.readUInt32LE(end + 12) !== end) throw new Error('the directory is not before its end')
  for (let entry = 0; entry < count; entry++) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error(`entry ${entry} is none`)
    const [packed, length, named] = [20, 24, 28].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const nameLength = named & 0xffff
    const local = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (archive.toString('utf8', local + 30, local + 30 + nameLength) !== name)
      throw new Error(`${name} is elsewhere`)
    const start = local + 30 + nameLength
    const bytes = inflateRawSync(archive.subarray(start, start + packed))
    if (bytes.length !== length || crc32(bytes) !== archive.readUInt32LE(at + 16))
      throw new Error(`${name} is broken`)
    files.set(name, { bytes, mode: archive.readUInt32LE(at + 38) >>> 16 })
    at += 46 + nameLength
  }
  return files
}
