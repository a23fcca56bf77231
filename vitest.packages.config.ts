import { defineConfig } from 'vitest/config'
import config, { NOT_AT_HAND } from './vitest.config.ts'

/** What has to be fetched: the package as others get it, in other runtimes, and a browser. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/packages/*.test.ts', ...NOT_AT_HAND],
    exclude: [],
    globalSetup: ['test/setup/build.ts', 'test/packages/setup.ts'],
  },
})
