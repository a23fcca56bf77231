import { type OutputStream, toWrite } from './outbox.ts'

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
    write: (text, written) => write(toWrite(text), written),
    onceDrained: (resume) => stdout.once('drain', resume),
    get waiting() {
      return stdout.writableLength
    },
  }
}
