import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
/** The command of a server that does whatever a client has to cope with. */
export const CURIOUS = ['--', process.execPath, join(import.meta.dirname, 'curious.mjs')]
/** One of the official SDK. */
export const OFFICIAL = ['--', process.execPath, join(import.meta.dirname, '..', 'client', 'sdk-stdio.mjs')]

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs perigee where nobody sits at a terminal. */
export async function perigee(args: readonly string[], input = '', cwd?: string): Promise<Outcome> {
  const child = spawn(process.execPath, [PERIGEE, ...args], { cwd })
  child.stdin.on('error', () => {}).end(input)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}
