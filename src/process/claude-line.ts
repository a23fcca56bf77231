/** A server as far as a command line tells of it. */
type LineServer =
  | { readonly name: string; readonly url: string; readonly headers: { readonly [name: string]: string } }
  | { readonly name: string; readonly command: string; readonly args: readonly string[] }

/** What is typed to plug a server into Claude Code: the one place where greetings, welcomes and documents have it from. */
export function claudeLine(server: LineServer): string {
  if ('url' in server)
    return ['claude mcp add --transport http', server.name, server.url, ...headerFlags(server.headers)].join(
      ' ',
    )
  return ['claude mcp add', server.name, '--', ...[server.command, ...server.args].map(quoteWord)].join(' ')
}

/** A variable is left to the host, so that its value stands in no file. */
export function headerFlags(headers: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `--header ${quoteWord(`${name}: ${value}`)}`)
}

/** As a shell takes it for one word. */
export function quoteWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
