import type { Module } from '../authoring/define.ts'
import type { Server } from '../kernel/index.ts'
import { jsonLines, telemetry } from '../middleware/telemetry/index.ts'
import { readNumber } from './config.ts'
import { LineFile } from './line-file.ts'
import { UsageError } from './usage-error.ts'

const LEAST_BYTES = 1024
const MOST_BYTES = 1024 ** 4

export function readSize(text: string): number {
  const bytes = readNumber('telemetry-size', text, MOST_BYTES)
  if (bytes >= LEAST_BYTES) return bytes
  throw new UsageError(`telemetry-size: expected ${LEAST_BYTES} bytes or more, got ${bytes}`)
}

/** Writes a line for everything that happens to a file that moves on when it is full. */
export function telemetryFile(path: string, maxBytes: number, name: () => string): Module {
  let server: Server | undefined
  const complain = (message: string) => server?.observe({ kind: 'noted', level: 'error', message })
  const file = openFile(path, { loses: 'nothing is recorded', complain, maxBytes })
  const sink = jsonLines({ level: 'debug', logger: name, write: (line) => file.add(line.trimEnd()) })
  return {
    ...telemetry({ sinks: [sink] }),
    reports: false, // What goes wrong is to be seen on stderr as well.
    open: (seen) => {
      server = seen as Server // The kernel's own face.
    },
    close: () => file.close(),
  }
}

function openFile(path: string, options: ConstructorParameters<typeof LineFile>[1]): LineFile {
  try {
    return new LineFile(path, options)
  } catch (error) {
    throw new UsageError(`telemetry: ${path} cannot be written: ${(error as Error).message}`)
  }
}
