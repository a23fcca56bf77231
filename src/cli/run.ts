import { checkNode } from './node-version.ts'
import { UsageError } from './usage-error.ts'

/** Runs a command; a mistake in what was typed or set is told in one line, without a stack. */
export async function run(name: string, command: () => Promise<void>): Promise<void> {
  try {
    checkNode(process.versions.node)
    await command()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
    process.channel?.unref() // Whoever has started us may go on listening.
  }
}
