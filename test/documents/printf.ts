import { type Output, Shell } from './shell.ts'

/** `printf '%s\n' line… | ./command args…` by the shell, as the documents test their servers. */
export async function printf(
  command: string,
  messages: readonly (string | object)[],
  args: readonly string[] = [],
): Promise<Output> {
  const lines = messages.map((one) => quote(typeof one === 'string' ? one : JSON.stringify(one)))
  const shell = new Shell(command, args)
  try {
    return await shell.run(`printf '%s\\n' ${lines.join(' ')} | ./${command}`)
  } finally {
    shell.remove()
  }
}

/** A call of a tool, as one line. */
export const call = (id: unknown, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

/** The answer of a tool in text. */
export const said = (id: unknown, text: unknown, isError = false) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], isError },
})

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
