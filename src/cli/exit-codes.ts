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

/** Ends a command with a sentence and a code. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
