/** What Node ends with when nothing can settle any more what it waits for. */
const UNSETTLED = 13

/** A file that waits for what never comes would otherwise end the process without a word. */
export async function tellingOfNoEnd<Loaded>(what: string, loading: () => Promise<Loaded>): Promise<Loaded> {
  const tell = () => {
    if (process.exitCode !== UNSETTLED) return
    process.stderr.write(`${what} does not load: it waits for something that never comes\n`)
    process.exitCode = 1
  }
  process.once('exit', tell)
  try {
    return await loading()
  } finally {
    process.off('exit', tell)
  }
}
