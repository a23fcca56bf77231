import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '..', '..', 'src')

/** The one file of what a peer can make grow. */
const BUDGETS_FILE = 'kernel/budgets/budgets.ts'

/** Folders in which a limit is none that a caller of a server can run into. */
const BESIDE: { readonly [folder: string]: string } = {
  bench: 'measures',
  cli: 'bounds what an operator or author types, reads or has in files',
  client: 'bounds what a server says that we call; there is no operator to set a flag',
  context: 'bounds what is made of an author’s own schemas and texts',
  contract: 'compares what authors have written',
  databases: 'bounds what an engine is asked at once',
  'modules/upstream': 'bounds what a server behind the gateway says of itself in words for people',
  recording: 'what an operator has written down',
  stores: 'bounds what an engine is asked at once',
}

/** Limits that stay where they are, each with all of its kind. */
const ALLOWED: { readonly [reason: string]: readonly string[] } = {
  'a file that an operator writes, or that is written here': ['confined/read-plain-file.ts MOST_BYTES'],
  'a text for people is cut, and nothing is refused': [
    'console/console.ts MAX_NOTICE',
    'transports/http/guards/address.ts LONGEST',
    'kernel/calls/called-here.ts MOST_TOLD',
    'kernel/jsonrpc/read-error.ts LONGEST',
    'kernel/methods/prompts.ts MAX_PROBLEMS',
    'kernel/receive/cancel-reason.ts LONGEST',
    'kernel/words/suggest.ts LONGEST',
    'kernel/words/suggest.ts MOST_TOLD',
    'middleware/telemetry/record-events.ts MAX_FRAMES',
    'middleware/telemetry/redact.ts MAX_MESSAGE',
    'middleware/telemetry/redact.ts MAX_NAME',
    'middleware/telemetry/redact.ts MAX_READ',
    'middleware/telemetry/redact.ts MAX_TEXT',
    'middleware/telemetry/sinks/flood-limit.ts MOST',
    'modules/journal/index.ts MAX_LENGTH',
    'modules/primer/recent-lines.ts LONGEST_LINE',
    'modules/task-list/history.ts MAX_LENGTH',
    'modules/task-list/print-tasks.ts MAX_LENGTH',
    'schema/foreign.ts MOST_LOOKED_AT',
    'schema/problems.ts MOST',
  ],
  'what is remembered: the oldest makes way, and nothing is refused': [
    'confined/small-files.ts MOST_ROOTS',
    'console/console.ts MAX_NOTICES',
    'console/conversations.ts MOST',
    'console/conversations.ts MOST_ASKED',
    'kernel/calls/announcer.ts MAX_WAITING',
    'kernel/calls/change-bus.ts MOST',
    'kernel/tasks/lease.ts MOST_MISSED',
    'middleware/limit.ts MAX_BUCKETS',
    'middleware/telemetry/sinks/prometheus.ts MAX_TOOLS',
    'modules/files/leftovers.ts MOST_DIRECTORIES',
    'modules/moon/answer.ts MAX_KEPT',
    'modules/primer/recent-lines.ts MOST_LINES',
    'modules/task-list/history.ts MAX_ENTRIES',
    'modules/task-list/stores/memory.ts MAX_DELETED',
    'process/keep-compiled.ts MAX_KEPT',
    'transports/http/auth/token-cache.ts MAX_TOKENS',
    'transports/http/sessions/record.ts LONGEST',
    'transports/http/sessions/record.ts MOST',
    'transports/http/sessions/session.ts MAX_FINISHED',
    'transports/http/streams/missed-changes.ts MOST',
  ],
  'how much is done, written or shown in one go; the rest follows, or is asked for': [
    'modules/files/effort.ts MOST',
    'kernel/methods/completion.ts MAX_VALUES',
    'modules/files/file-resource.ts MOST_NAMES',
    'modules/files/list-directory.ts MOST',
    'modules/files/suggest-paths.ts MOST',
    'modules/files/unified-diff.ts MOST_SHOWN',
    'modules/moon/events.ts MAX_EVENTS',
    'modules/skills/extension.ts MOST_A_PAGE',
    'modules/task-list/prompts.ts MAX_TASKS',
    'modules/task-list/resources.ts MAX_OPEN',
    'modules/task-list/resources.ts MAX_SUGGESTIONS',
    'modules/task-list/schemas.ts MAX_PAGE',
    'modules/task-list/stores/sql.ts MAX_ATTEMPTS',
    'transports/http/node/connection.ts MOST_OWED',
    'transports/http/node/response.ts MAX_KEPT',
  ],
  'what a value of that kind is: the description or schema of the tool says so': [
    'modules/countdown/index.ts MAX_SECONDS',
    'modules/files/client-roots.ts MOST_ROOTS',
    'modules/files/edit-text.ts MOST_LETTERS',
    'modules/files/edit-text.ts MOST_PIECES',
    'modules/files/glob.ts MOST_LETTERS',
    'modules/files/glob.ts MOST_PATTERNS',
    'modules/files/read-files.ts MOST',
    'modules/files/read-text.ts MAX_BYTES',
    'modules/moon/seen.ts MAX_DAYS',
    'modules/primer/index.ts MAX_LENGTH',
    'modules/task-list/claim-tools.ts MAX_MINUTES',
    'modules/task-list/links.ts MAX_REACH',
    'modules/task-list/schemas.ts MAX_SEARCH',
    'modules/task-list/search.ts MAX_LENGTH',
    'modules/task-list/search.ts MAX_PAIRS',
    'modules/task-list/search.ts MAX_WORDS',
  ],
  'of a format, a protocol or an operating system': [
    'confined/explain.ts MAX_PATH',
    'confined/locate.ts MOST_LINKS',
    'modules/skills/front-matter.ts LONGEST_NAME',
    'schema/json/formats/index.ts MAX_LENGTH',
    'transports/http/card/documents.ts MAX_WORDS',
    'transports/http/nodes/route.ts LONGEST',
    'transports/stdio/socket-path.ts MAX_PATH_BYTES',
  ],
  'what an author, an operator or an issuer has made, and no caller': [
    'kernel/asking/needs.ts MAX_ROUNDS',
    'kernel/calls/events.ts MAX_TOLD',
    'kernel/jsonrpc/as-json.ts MAX_DEPTH',
    'kernel/tasks/worker.ts MAX_RUNS',
    'modules/files/walk.ts DEEPEST',
    'modules/skills/limits.ts MOST_BYTES',
    'modules/skills/limits.ts MOST_FILES',
    'schema/json/plain.ts MAX_DEPTH',
    'schema/json/plain.ts MAX_NOTES',
    'schema/json/plain.ts MAX_PARTS',
    'schema/json/sayable.ts MAX_DEPTH',
    'schema/json/size.ts MAX_DEPTH',
    'transports/http/auth/ask-issuer.ts MAX_BYTES',
  ],
  'steps after which a search gives up, within budgets for what is searched': [
    'console/mask.ts MAX_DEPTH',
    'kernel/catalogue/uri-match.ts MAX_STEPS',
    'kernel/catalogue/uri-template.ts MAX_URI',
    'schema/json/effort.ts MAX_DEPTH',
    'schema/json/pattern/index.ts MOST_TRIES',
  ],
  'what waits for a store that is away: after that the stream is let go, and its client comes back': [
    'transports/http/streams/stream-log.ts MAX_UNWRITTEN',
  ],
  'rules that leave something out of a list: those that are not read leave out nothing, and the answer says so':
    [
      'modules/files/ignore-rules.ts LONGEST_RULE',
      'modules/files/ignore-rules.ts MOST_BYTES',
      'modules/files/ignore-rules.ts MOST_RULES',
    ],
  'how long a password is that is known by its place': ['middleware/telemetry/userinfo.ts LONGEST'],
  'how far a mistake of an author is looked for': ['process/syntax-error.ts MAX_FILES'],
  'what holds of `maxNesting` where there is no server': ['kernel/jsonrpc/depth.ts MAX_DEPTH'],
}

/** A number that is called a limit; how long something takes is none that anybody makes grow. */
const LIMIT =
  /^(?:export )?const ([A-Z_]*(?:MAX|MOST|LONGEST|LARGEST|DEEPEST|LIMIT)[A-Z_]*)(?:: number)? = [\d(]/gm

const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file !== BUDGETS_FILE && !Object.keys(BESIDE).some((one) => file.startsWith(`${one}/`)))
  .flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(LIMIT)].map(([, name = '']) => `${file} ${name}`),
  )
  .filter((one) => !one.endsWith('_MS'))

it('what a caller can run into is a budget, or stands here with the reason why it is none', () => {
  expect(found.toSorted()).toEqual(Object.values(ALLOWED).flat().toSorted())
})
