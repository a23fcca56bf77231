import { readdirSync, readFileSync } from 'node:fs'

/** CPU seconds that a process and its children have used, where the system tells (`/proc`). */
export function readCpuSeconds(pid: number): number | undefined {
  return sum(pid, (one) => {
    const threads = readdirSync(`/proc/${one}/task`)
    return threads.reduce((total, thread) => total + readThreadSeconds(`/proc/${one}/task/${thread}`), 0)
  })
}

/** The memory that a process and its children have in use, in MiB. */
export function readMemory(pid: number): number | undefined {
  return sum(pid, (one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  })
}

/** Runs the function with each process that is still there. */
function sum(pid: number, read: (pid: number) => number): number | undefined {
  const values = family(pid).flatMap((one) => {
    try {
      return [read(one)]
    } catch {
      return [] // It has ended, or there is no /proc.
    }
  })
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0)
}

/** A process and its descendants: what is started by npx or a shell is their child. */
function family(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(family)]
  } catch {
    return [pid]
  }
}

function readThreadSeconds(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9
}
