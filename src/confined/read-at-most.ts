import type { FileHandle } from 'node:fs/promises'

/** The file's beginning. A size seen before reading proves nothing: the file may grow meanwhile. */
export async function readAtMost(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  while (length < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limit - length))
    const { bytesRead } = await file.read(chunk)
    if (bytesRead === 0) break
    chunks.push(chunk.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(chunks)
}

const CHUNK_BYTES = 64 * 1024
