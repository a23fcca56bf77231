import { UsageError } from './config.ts'

/** Runs a command; a mistake in what was typed is told in one line, without a stack. */
export function run(name: string, command: () => void): void {
  try {
    command()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
