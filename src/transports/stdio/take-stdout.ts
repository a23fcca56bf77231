import type { Output } from './conversation.ts'

/** Takes the real stdout for the protocol; `console.log` and stray writes go to stderr from here on. */
export function takeStdout(failed: (error: Error) => void): Output {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  stdout.end = (last?: unknown) => {
    if (typeof last === 'string' || last instanceof Uint8Array) stderr.write(last)
    return stdout
  }
  stdout.on('error', failed)
  return {
    write: (text, written) => write(text, 'utf8', written),
    onceDrained: (resume) => stdout.once('drain', resume),
  }
}
