import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest first: one that came last would keep a single core busy while the others wait. */
const SLOW = [
  'test/testing/transport.test.ts',
  'test/cli/call.test.ts',
  'test/cli/watch.test.ts',
  'test/task-list/task-list-crash.test.ts',
  'test/properties/stdin.test.ts',
  'test/files/files-race.test.ts',
  'test/transcripts/run.test.ts',
  'test/client/contract.test.ts',
  'test/tasks/processes.test.ts',
  'test/documents/ccmcp.test.ts',
  'src/cli/cli.test.ts',
  'test/project/docs.test.ts',
  'test/process/log.test.ts',
  'test/process/stdio-shutdown.test.ts',
  'test/stdio/output.test.ts',
  'test/http/http-transcripts.test.ts',
  'test/moon/moonphase-command.test.ts',
  'test/stdio/ending.test.ts',
  'test/console/watched-contract.test.ts',
  'test/upstream/gateway-transcripts.test.ts',
  'test/nodes/parked.test.ts',
  'test/authoring/serve-file.test.ts',
  'test/http/closing.test.ts',
  'test/http/abandoned-sessions.test.ts',
]

/** What a run before has measured is forgotten with every `npm ci`. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      SLOW.includes(relative(project.config.root, moduleId)) ? 0 : 1
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
