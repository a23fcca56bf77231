import { createHash } from 'node:crypto'

/** Stands for a secret wherever the secret itself need not be kept. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
