import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TransportEnd, TransportOpening } from '../../src/testing/index.ts'

const NOTHING = { functions: 0, calls: 0, listeners: 0, bytes: 0 }

/** A client of a server in a process of its own. */
export function openStdio(script: string, { hear, ended }: TransportOpening): TransportEnd {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  child.stdin.on('error', () => {}) // It has been closed, and its exit tells.
  createInterface({ input: child.stdout }).on('line', hear).on('close', ended)
  const write = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => child.stdin.write(bytes, () => resolve()))
  return {
    send: (text) => write(`${text}\n`),
    async sendPieces(pieces) {
      for (const piece of pieces) await write(piece)
      await write('\n')
    },
    leave: () => void child.stdin.end(),
    async close() {
      child.kill('SIGTERM')
      await exited
    },
    async kept() {
      await exited
      return NOTHING // Whatever it kept has gone with it.
    },
  }
}
