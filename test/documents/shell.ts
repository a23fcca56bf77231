import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin')

export interface Output {
  /** What stdout said, line by line, each of them JSON. */
  readonly lines: readonly { readonly [member: string]: unknown }[]
  readonly stderr: string
  readonly code: unknown
}

/** A folder in which `./command` is one of our commands, so that a document's own lines can be run there. */
export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'perigee-document-'))

  constructor(command: string, args: readonly string[] = []) {
    const words = [process.execPath, join(BIN, `${command}.js`), ...args].map((word) => `'${word}'`)
    writeFileSync(join(this.folder, command), `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 })
  }

  /** Runs a script; its exit code is that of the last command. */
  run(script: string): Promise<Output> {
    const options = { cwd: this.folder, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 }
    return new Promise((resolve) => {
      const shell = execFile('sh', ['-c', script], options, (_error, stdout, stderr) => {
        const lines = stdout.split('\n').filter((line) => line !== '')
        resolve({ lines: lines.map((line) => JSON.parse(line)), stderr, code: shell.exitCode })
      })
    })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }
}
