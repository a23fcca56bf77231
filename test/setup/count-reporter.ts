import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from 'vitest/node'

/**
 * Says what failed, what passed only when tried again, why tests were skipped, and in the last line
 * `N passed, N failed, N skipped`; nothing else. While it goes on, a terminal shows how far it has come. On CI a test
 * that is skipped without a reason has failed.
 */
export default class CountReporter extends DefaultReporter {
  override onInit(vitest: Vitest): void {
    vitest.logger.printBanner = () => {} // There is no setting for it.
    super.onInit(vitest)
  }

  /** The last line has what matters of it. */
  override reportTestSummary(): void {}

  protected override printTestModule(module: TestModule): void {
    if (!module.ok()) super.printTestModule(module)
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandled, reason)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.ok() && !isSkipped(test)).length
    const failed = tests.filter((test) => !test.ok()).length
    const broken = modules.filter((module) => module.state() === 'failed' && countFailed(module) === 0).length
    const skipped = tests.filter(isSkipped)
    for (const why of new Set(skipped.map(reasonOf))) {
      const those = skipped.filter((test) => reasonOf(test) === why)
      process.stdout.write(`skipped: ${describe(those)}: ${why}\n`)
    }
    for (const test of tests.filter((one) => one.diagnostic()?.flaky)) {
      const why = test.result().errors?.[0]?.message
      process.stdout.write(`unsteady, passed when tried again: ${test.fullName}: ${why}\n`)
    }
    const unexplained =
      process.env['CI'] === undefined ? [] : skipped.filter((test) => reasonOf(test) === NO_REASON)
    if (unexplained.length > 0) process.exitCode = 1
    const wrong = failed + broken + unhandled.length + unexplained.length
    process.stdout.write(`${passed} passed, ${wrong} failed, ${skipped.length} skipped\n`)
  }
}

const NO_REASON = 'no reason given'

/** A reason that many tests share is said once. */
function describe(tests: readonly TestCase[]): string {
  const [first] = tests
  return tests.length === 1 ? String(first?.fullName) : `${tests.length} tests, such as ${first?.fullName}`
}

function countFailed(module: TestModule): number {
  return [...module.children.allTests()].filter((test) => !test.ok()).length
}

function isSkipped(test: TestCase): boolean {
  return test.result().state === 'skipped'
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return ('note' in result && result.note) || NO_REASON
}
