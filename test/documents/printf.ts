import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin')

export interface Printed {
  /** What the command wrote to stdout, line by line, read as JSON. */
  readonly lines: readonly unknown[]
  readonly stderr: string
  readonly code: unknown
}

/** `printf '%s\n' line… | command args…` by the shell, as the documents test their servers. */
export async function printf(
  command: string,
  messages: readonly (string | object)[],
  args: readonly string[] = [],
): Promise<Printed> {
  const lines = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  const flags = args.map((arg) => `'${arg}'`).join(' ')
  const script = `printf '%s\\n' "$@" | '${process.execPath}' '${join(BIN, `${command}.js`)}' ${flags}`
  const shell = spawn('sh', ['-c', script, 'sh', ...lines], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  shell.stdout.on('data', (text) => {
    stdout += text
  })
  shell.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = (await once(shell, 'close')) as [unknown]
  const printed = stdout.split('\n').filter((line) => line !== '')
  return { lines: printed.map((line) => JSON.parse(line) as unknown), stderr, code }
}
