import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** What needs a Redis or a PostgreSQL, which these tests install where they may, start, kill and stop; and nodes and workers that are killed. */
export default defineConfig({
  test: { ...config.test, include: ['test/engines/**/*.test.ts'], exclude: [] },
})
