import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends the output in `N passed, N failed`, and says of every skipped test why. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.ok() && !isSkipped(test)).length
    const failed = tests.filter((test) => !test.ok()).length
    const broken = modules.filter((module) => module.state() === 'failed' && countFailed(module) === 0).length
    const skipped = tests.filter(isSkipped)
    for (const test of skipped) process.stdout.write(`skipped: ${test.fullName}: ${reason(test)}\n`)
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
    process.stdout.write(`${passed} passed, ${failed + broken + unhandled.length} failed${tail}\n`)
  }
}

function countFailed(module: TestModule): number {
  return [...module.children.allTests()].filter((test) => !test.ok()).length
}

function isSkipped(test: TestCase): boolean {
  return test.result().state === 'skipped'
}

function reason(test: TestCase): string {
  const result = test.result()
  return ('note' in result && result.note) || 'no reason given'
}
