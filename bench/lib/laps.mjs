/**
 * Milliseconds between two looks at the clock: what passed, or the processor time of the process where that is less. The
 * first counts whoever else is at work on the machine, the second the threads that collect and compile beside ours; what
 * ours took is no more than either.
 */
export function createLaps() {
  const look = () => ({ passed: performance.now(), cpu: processorTime() })
  let last = look()
  return () => {
    const now = look()
    const lap = Math.min(now.passed - last.passed, now.cpu - last.cpu)
    last = look()
    return lap
  }
}

function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
