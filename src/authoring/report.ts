import type { KernelObserver } from '../kernel/index.ts'
import { jsonLines, telemetry } from '../middleware/telemetry/index.ts'
import { hasColours } from '../process/has-colours.ts'

const TROUBLE = new Set(['crashed', 'noted', 'turned-away'])

/** Tells whoever runs a server of what goes wrong inside it, where nobody else does. */
export function createReport(): KernelObserver {
  let tell: KernelObserver | undefined
  return (event) => {
    if (!TROUBLE.has(event.kind)) return
    tell ??= openLog()
    tell(event)
  }
}

function openLog(): KernelObserver {
  const write = (line: string) => console.error(line.slice(0, -1))
  return telemetry({
    sinks: [jsonLines({ write, level: 'warning', format: 'pretty', colour: hasColours() })],
  }).observe
}
