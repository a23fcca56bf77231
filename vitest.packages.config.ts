import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The package as others get it: packed, installed, bundled, and in other runtimes than the one at hand. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/packages/*.test.ts'],
    exclude: [],
    globalSetup: ['test/setup/build.ts', 'test/packages/setup.ts'],
  },
})
