import { hideUserinfo } from '../middleware/telemetry/redact.ts'
import { leave } from '../process/leave.ts'
import { exitCodeOf, StartError } from './exit-codes.ts'
import { checkNode } from './node-version.ts'

/** Runs a command; a mistake in what was typed or set is told in one line, without a stack. */
export async function run(name: string, command: () => Promise<void>): Promise<void> {
  try {
    checkNode(process.versions.node)
    await command()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.message !== '') process.stderr.write(`${name}: ${hideUserinfo(error.message)}\n`)
    process.exitCode = exitCodeOf(error)
    if (error instanceof StartError) leave(exitCodeOf(error))
    process.channel?.unref() // Whoever has started us may go on listening.
  }
}
