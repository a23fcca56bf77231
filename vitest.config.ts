import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts'],
    reporters: ['default', './test/setup/count-reporter.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 3, // Most tests wait for processes more than they work.
    testTimeout: 120_000, // A safety net for busy machines, never an expectation.
  },
})
