import { hasColours } from './has-colours.ts'

/** Somebody started a server by hand; to them a silent one looks broken. */
export function greet(name: string): void {
  if (!process.stdin.isTTY) return
  const bold = (text: string) => (hasColours() ? `\u001b[1m${text}\u001b[22m` : text)
  process.stderr.write(printGreeting(name, ['node', ...process.argv.slice(1)], bold))
}

export function printGreeting(
  name: string,
  command: readonly string[],
  bold: (text: string) => string = (text) => text,
): string {
  const words = command.map((word) =>
    /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  )
  return [
    `${bold(name)} speaks MCP on stdin and stdout, one JSON message a line; Ctrl-D ends it.`,
    `To use it from Claude Code: claude mcp add ${/^[\w-]+$/.test(name) ? name : 'NAME'} -- ${words.join(' ')}`,
    '',
  ].join('\n')
}
