import type { OutputStream } from './outbox.ts'

/** What may have to wait for long does so outside of the heap, and is counted in bytes. */
const LONG = 16 * 1024

/** Takes the real stdout for the protocol; `console.log` and stray writes go to stderr from here on. */
export function takeStdout(failed: (error: Error) => void): OutputStream {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  stdout.end = (last?: unknown) => {
    if (typeof last === 'string' || last instanceof Uint8Array) stderr.write(last)
    return stdout
  }
  stdout.on('error', failed)
  return {
    write: (text, written) =>
      text.length < LONG ? write(text, 'utf8', written) : write(Buffer.from(text), written),
    onceDrained: (resume) => stdout.once('drain', resume),
    get waiting() {
      return stdout.writableLength
    },
  }
}
