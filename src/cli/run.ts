import { hideUserinfo } from '../middleware/telemetry/redact.ts'
import { CommandError, EXIT_CODES } from './exit-codes.ts'
import { checkNode } from './node-version.ts'
import { UsageError } from './usage-error.ts'

/** Runs a command; a mistake in what was typed or set is told in one line, without a stack. */
export async function run(name: string, command: () => Promise<void>): Promise<void> {
  try {
    checkNode(process.versions.node)
    await command()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.message !== '') process.stderr.write(`${name}: ${hideUserinfo(error.message)}\n`)
    process.exitCode = codeOf(error)
    process.channel?.unref() // Whoever has started us may go on listening.
  }
}

function codeOf(error: Error): number {
  if (error instanceof CommandError) return error.exitCode
  return error instanceof UsageError ? EXIT_CODES.usage.code : EXIT_CODES.failed.code
}
