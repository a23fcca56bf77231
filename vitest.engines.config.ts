import { defineConfig } from 'vitest/config'
import config, { LONG } from './vitest.config.ts'

/** What needs a Redis or a PostgreSQL, which these tests install where they may, start, kill and stop; and whatever else kills, races or starves processes for long. */
export default defineConfig({
  test: { ...config.test, include: ['test/engines/**/*.test.ts', ...LONG], exclude: [] },
})
