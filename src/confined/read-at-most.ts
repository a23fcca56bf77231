import type { FileHandle } from 'node:fs/promises'

/** The file's beginning. A size seen before reading proves nothing, since the file may grow meanwhile: it spares reads. */
export async function readAtMost(file: FileHandle, limit: number, size = CHUNK_BYTES): Promise<Buffer> {
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(limit, Math.max(SMALLEST, size + 1)))
  let length = 0
  while (length < limit) {
    if (length === bytes.length) bytes = enlarge(bytes, limit)
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function enlarge(bytes: Buffer, limit: number) {
  const larger = Buffer.allocUnsafe(Math.min(limit, 2 * bytes.length))
  bytes.copy(larger)
  return larger
}

const CHUNK_BYTES = 64 * 1024

/** What tells no size, as in /proc, has some lines all the same. */
const SMALLEST = 4096
