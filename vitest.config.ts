import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup/build.ts'],
    reporters: ['default', './test/setup/count-reporter.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
})
