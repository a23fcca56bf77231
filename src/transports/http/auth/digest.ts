/** Loaded with the first key or token: a server that has none does not wait for it. */
const crypto = () => process.getBuiltinModule('node:crypto')

/** Stands for a secret wherever the secret itself need not be kept. */
export function sha256(text: string): Buffer {
  return crypto().createHash('sha256').update(text).digest()
}

/** Takes as long whatever the two digests are. */
export function sameDigest(one: Buffer, other: Buffer): boolean {
  return crypto().timingSafeEqual(one, other)
}
