import { defineConfig } from 'vitest/config'
import SlowFirst from './test/setup/slow-first.ts'

/** What servers under test report of mistakes that were made on purpose, and what a server of others says of older Nodes. */
const EXPECTED =
  /^\d{4}-\d\d-\d\dT[\d:.]+Z (warning|error|critical) |^oidc-provider WARNING: Unsupported runtime/

/** These need a browser, which `npm run packages` installs. */
export const NOT_AT_HAND = [
  'test/console/board-browser.test.ts',
  'test/console/film.test.ts',
  'test/console/page-browser.test.ts',
  'test/console/upstreams-browser.test.ts',
  'test/moon/slider-browser.test.ts',
  'test/moon/view-browser.test.ts',
  'test/site/site-browser.test.ts',
]

/** These start many processes, or kill, race or starve them for long, and are run with the engines. */
export const LONG = [
  'test/authoring/serve-file.test.ts',
  'test/cli/call.test.ts',
  'test/cli/create.test.ts',
  'test/cli/install.test.ts',
  'test/cli/lock-command.test.ts',
  'test/cli/pack.test.ts',
  'test/cli/served-card.test.ts',
  'test/cli/served-socket.test.ts',
  'test/cli/terminal.test.ts',
  'test/cli/watch.test.ts',
  'test/client/contract.test.ts',
  'test/client/hostile.test.ts',
  'test/console/console-commands.test.ts',
  'test/console/watched-contract.test.ts',
  'test/context/budget.test.ts',
  'test/context/code-nodes.test.ts',
  'test/context/code.test.ts',
  'test/context/context-example.test.ts',
  'test/context/escapes.test.ts',
  'test/contract/within.test.ts',
  'test/dev/dev-http.test.ts',
  'test/dev/dev-stdio.test.ts',
  'test/dev/faults.test.ts',
  'test/dev/pair.test.ts',
  'test/dev/typescript.test.ts',
  'test/files/files-crash.test.ts',
  'test/files/files-race.test.ts',
  'test/http/abandoned-sessions.test.ts',
  'test/http/closing.test.ts',
  'test/http/http-transcripts.test.ts',
  'test/install/install-round.test.ts',
  'test/moon/moonphase-command.test.ts',
  'test/nodes/parked.test.ts',
  'test/process/log.test.ts',
  'test/process/shared-store.test.ts',
  'test/process/stdio-shutdown.test.ts',
  'test/project/migrating.test.ts',
  'test/properties/any-message.test.ts',
  'test/properties/results.test.ts',
  'test/properties/stdin.test.ts',
  'test/recording/recording-round.test.ts',
  'test/scripts/dev-storm.test.ts',
  'test/scripts/endurance.test.ts',
  'test/scripts/storm-lies.test.ts',
  'test/servers/conversations.test.ts',
  'test/servers/module-check.test.ts',
  'test/servers/module-watch.test.ts',
  'test/servers/servers-http.test.ts',
  'test/servers/servers-keys.test.ts',
  'test/site/built-site.test.ts',
  'test/skills/race.test.ts',
  'test/stdio/ending.test.ts',
  'test/stdio/output.test.ts',
  'test/task-list/bossman-terminal.test.ts',
  'test/task-list/task-list-crash.test.ts',
  'test/tasks/processes.test.ts',
  'test/testing/faulty.test.ts',
  'test/testing/transport.test.ts',
  'test/upstream/bridge.test.ts',
  'test/upstream/changes.test.ts',
  'test/upstream/children.test.ts',
  'test/upstream/gateway-example.test.ts',
  'test/upstream/gateway-nodes.test.ts',
  'test/upstream/gateway-transcripts.test.ts',
  'test/upstream/hostile-upstreams.test.ts',
  'test/upstream/late.test.ts',
  'test/upstream/status.test.ts',
  'test/upstream/tasks.test.ts',
]

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/**/*.test.ts'],
    exclude: ['test/packages/**', 'test/engines/**', ...NOT_AT_HAND, ...LONG],
    globalSetup: ['test/setup/build.ts'],
    reporters: ['./test/setup/count-reporter.ts'],
    sequence: { sequencer: SlowFirst },
    pool: 'threads',
    isolate: false,
    maxWorkers: 3, // Most tests wait for processes more than they work.
    onConsoleLog: (log, type) => type !== 'stderr' || !EXPECTED.test(log),
    // On CI one more try, which the report names: a race that is lost once is told, and stops no landing.
    retry: process.env.CI === undefined ? 0 : 1,
    // A safety net for busy machines, never an expectation.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
