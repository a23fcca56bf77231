/** What a file prints while it is loaded must not get into the protocol. */
export async function quietly<Result>(run: () => Promise<Result>): Promise<Result> {
  const { stdout, stderr } = process
  const { write } = stdout
  stdout.write = stderr.write.bind(stderr)
  try {
    return await run()
  } finally {
    stdout.write = write
  }
}
