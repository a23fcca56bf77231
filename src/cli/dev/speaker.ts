/** What answers one client, line by line: a child at its pipe, or a child's end of an SSE pair. */
export interface HostSpeaker {
  /** Of the child: no two have the same. */
  readonly number: number
  readonly input: { write(line: string): unknown }
  readonly output: {
    on(event: 'data', listener: (chunk: Buffer) => void): unknown
    pause(): unknown
    resume(): unknown
  }
  readonly isGone: boolean
  /** What it said last on stderr. */
  readonly lastWords: string
}
