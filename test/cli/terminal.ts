import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import type { TestContext } from 'vitest'

const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Skips a test where there is no terminal to be had. */
export function needTerminal({ skip }: TestContext): void {
  skip(!hasTerminal, 'there is no command script to make a terminal with')
}

export interface Typed {
  /** What was shown, from the beginning, without colours and movements of the cursor. */
  readonly shown: string
  readonly status: number | null
}

/** Runs a command as if at a terminal; each of `turns` is a text to wait for, and what is typed then, or a function that gives it. */
export async function typeAt(
  command: readonly string[],
  cwd: string,
  turns: readonly (readonly [shown: string, typed: string | (() => string)])[],
): Promise<Typed> {
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const { NO_COLOR, FORCE_COLOR, CI, ...env } = process.env
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color', COLUMNS: '200' },
  })
  const closed = once(child, 'close')
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000)
  let [shown, seen, turn] = ['', 0, 0]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown = strip(shown + text)
    for (let next = turns[turn]; next !== undefined; next = turns[turn]) {
      const at = shown.indexOf(next[0], seen)
      if (at < 0) return
      seen = at + next[0].length
      turn++
      child.stdin.write(typeof next[1] === 'string' ? next[1] : next[1]())
    }
  })
  const [status] = (await closed) as [number | null]
  clearTimeout(giveUp)
  return { shown, status }
}

function strip(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r', '')
}
