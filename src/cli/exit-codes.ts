import { UsageError } from './usage-error.ts'

/** What a command says with the code it ends with. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'it is done' },
  failed: { code: 1, meaning: 'the server answered with an error, or the tool says that it failed' },
  usage: { code: 2, meaning: 'something typed cannot be: an option, an argument, a tool that is not there' },
  unreachable: {
    code: 3,
    meaning:
      'there is no server to talk to: nobody listens, the command does not start or ends, it lets nobody in, or it speaks no MCP',
  },
  late: { code: 4, meaning: 'nothing was heard for as long as --timeout says' },
  interrupted: {
    code: 130,
    meaning: 'it was stopped with Ctrl-C; 143 with SIGTERM, 129 with SIGHUP',
  },
} as const

/** The code that an error ends a command with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  return (error instanceof UsageError ? EXIT_CODES.usage : EXIT_CODES.failed).code
}

/** Ends a command with a sentence and a code. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** A server that was not started: what its author's files have begun meanwhile would keep the process. */
export class StartError extends CommandError {}
