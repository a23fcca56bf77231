import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest first: one that came last would keep a single core busy while the others wait. */
const SLOW = [
  'test/contracts/transport.test.ts',
  'test/cli/call.test.ts',
  'test/cli/watch.test.ts',
  'test/task-list/crash.test.ts',
  'test/properties/stdin.test.ts',
  'src/modules/files/race.test.ts',
  'test/transcripts/run.test.ts',
  'test/client/contract.test.ts',
  'test/tasks/processes.test.ts',
  'test/documents/ccmcp.test.ts',
  'src/cli/cli.test.ts',
  'test/docs.test.ts',
  'test/operators/log.test.ts',
  'test/operators/stdio.test.ts',
  'test/stdio/output.test.ts',
  'test/http/transcripts.test.ts',
  'test/moonphase/moonphase.test.ts',
  'test/stdio/ending.test.ts',
  'test/console/watched-contract.test.ts',
  'test/upstream/transcripts.test.ts',
  'test/nodes/parked.test.ts',
  'test/authors/serve-file.test.ts',
  'test/http/closing.test.ts',
  'test/http/memory.test.ts',
]

/** What a run before has measured is forgotten with every `npm ci`. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      SLOW.includes(relative(project.config.root, moduleId)) ? 0 : 1
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
