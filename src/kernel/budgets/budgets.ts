import { type Budget, bytes, KiB, MiB, number } from './budget.ts'

/**
 * The defaults. Each can be changed by `budgets` in `defineServer`, and by the flag that `flagOf` names.
 * @example const most = BUDGETS.maxBodyBytes.limit
 */
export const BUDGETS = {
  maxBodyBytes: bytes(MiB, 'a body over HTTP', '413, before it has been read'),
  maxArrivingBytes: bytes(
    64 * MiB,
    'bodies that are arriving, and heads, or on a socket what is read before its turn, in all',
    '503 for whoever takes longest, on a socket an error, and its connection is closed',
  ),
  maxLineBytes: bytes(MiB, 'a line on stdin', 'refused while it arrives'),
  maxCalls: number(
    1000,
    'calls at work over HTTP, or on a socket',
    'those whose clients are gone end, or 503; on a socket those of who has more than its part wait',
  ),
  maxCallsPerCaller: number(250, 'calls at work of one caller that is known', '429'),
  maxUnderwayBytes: bytes(64 * MiB, 'requests that are not answered yet, in all', 'refused'),
  maxUnderwayPerCallerBytes: bytes(16 * MiB, 'those of one caller that is known', 'refused'),
  maxAbandonedBytes: bytes(
    32 * MiB,
    'calls that nobody waits for any more and whose functions go on',
    'further calls of what these have called are refused until some have ended',
  ),
  maxAbandonedPerCallerBytes: bytes(8 * MiB, 'those of one caller that is known', 'the same'),
  maxQuestions: number(10_000, 'calls that wait for an answer of their client', '503'),
  maxNesting: number(256, 'arrays and objects of a message within each other', 'refused'),
  maxBatchMessages: number(1000, 'messages of a batch', 'refused'),
  maxCallsPerBatch: number(8, 'calls of a batch at work', 'further ones wait'),
  maxBatchAnswerBytes: bytes(MiB, 'the answers to a batch', 'the rest of it is refused and not done'),
  maxBatchedBytes: bytes(64 * MiB, 'answers to batches under way, in all', 'the rest of them is refused'),
  maxCallsPerPipe: number(256, 'calls at work on stdio', 'further ones wait'),
  maxReadAheadBytes: bytes(MiB, 'what is read on stdin before its turn', 'reading pauses'),
  maxReadAheadMessages: number(10_000, 'messages read on stdin before their turn', 'reading pauses'),
  maxUnsentPerPipeBytes: bytes(
    64 * MiB,
    'what was said on stdout and nobody has read yet',
    'an answer above 16 KiB becomes an error that says so, and notices are left out',
  ),
  maxSessions: number(
    10_000,
    'sessions',
    'the oldest that was never used ends, or the one of a caller that is not known that has been silent longest, or 503',
  ),
  maxSessionsPerCaller: number(
    2500,
    'sessions of one caller that is known',
    'its oldest that was never used ends, or 429',
  ),
  maxStreams: number(10_000, 'open streams', '503; calls are answered without one'),
  maxStreamsPerCaller: number(2500, 'open streams of one caller that is known', '429, the same'),
  maxStreamsPerSession: number(16, 'open streams of a session', '429'),
  maxUnreadBytes: bytes(MiB, 'what a reader may leave unread of a stream', 'the stream is dropped'),
  maxUnsentBytes: bytes(
    64 * MiB,
    'answers and streams that nobody has taken yet, in all',
    'the slowest reader is dropped, or 503, on a socket an error instead of an answer above 16 KiB',
  ),
  maxConnections: number(20_000, 'connections over HTTP, or on a socket', 'closed at once'),
  maxPipelined: number(
    100,
    'requests of a connection that wait for the one before',
    'the connection is closed',
  ),
  maxKeptPerStreamBytes: bytes(
    2 * MiB,
    'events kept of a stream for a client that comes back',
    'the oldest are forgotten',
  ),
  maxKeptPerSessionBytes: bytes(4 * MiB, 'events kept of a session', 'the oldest streams are forgotten'),
  maxKeptBytes: bytes(64 * MiB, 'events kept, in all', 'the oldest streams are forgotten'),
  maxEventsPerStream: number(256, 'events kept of a stream', 'the oldest are forgotten'),
  maxSchemaParts: number(3000, 'schemas within a JSON Schema, and values it lists', 'the schema is refused'),
  maxCheckSteps: number(
    1_000_000,
    'references, items and members that a check looks at',
    'the value is refused',
  ),
  maxUnreadLogBytes: bytes(MiB, 'the log on stderr that nobody has read yet', 'further lines are lost'),
  maxActivityBytes: bytes(256 * KiB, 'the log of `primer`', 'the oldest lines are forgotten'),
  maxIntroductionBytes: bytes(16 * KiB, 'what a client says of itself in `initialize`', 'refused'),
  maxSubscriptionsPerSession: number(1000, 'resources that a session subscribes to', 'refused'),
  maxListenIds: number(1000, 'resources or tasks that a `subscriptions/listen` names', 'refused'),
  maxHeldPerSessionBytes: bytes(256 * KiB, 'the introduction and subscriptions of a session', 'refused'),
  maxHeldPerCallerBytes: bytes(16 * MiB, 'those of one caller that is known', 'refused'),
  maxHeldBytes: bytes(64 * MiB, 'introductions and subscriptions, in all', 'refused'),
  maxIdBytes: bytes(KiB, 'the `id` of a request, which is kept until its answer', 'refused'),
  maxProgressTokenBytes: bytes(256, 'a `progressToken`, which every notice of progress repeats', 'refused'),
  maxTasks: number(1000, 'tasks at work, beside the calls', 'refused'),
  maxTasksPerCaller: number(250, 'tasks at work of one caller that is known', 'refused'),
  maxTasksKept: number(10_000, 'tasks that are kept, until they expire', 'refused'),
  maxTasksKeptPerCaller: number(2500, 'tasks that are kept of one caller that is known', 'refused'),
  maxTaskResultBytes: bytes(MiB, 'the result of a task', 'the task fails and says so'),
  maxTaskStoreBytes: bytes(64 * MiB, 'what tasks take with their results', 'refused, or the task fails'),
  maxTaskStorePerCallerBytes: bytes(
    16 * MiB,
    'what the tasks of one caller that is known take',
    'refused, or the task fails',
  ),
  maxRestBytes: bytes(
    64 * MiB,
    'what is kept of results that were too long for their `budget`, for 15 minutes',
    'it is left out, and the result says so',
  ),
  maxRestPerCallerBytes: bytes(16 * MiB, 'that of one caller that is known', 'the same'),
  maxCompletionBytes: bytes(KiB, 'a text to be completed', 'refused'),
  maxSearchBytes: bytes(KiB, 'what is asked of the `search` that stands before the tools', '`search` fails'),
  maxReadingBytes: bytes(4 * MiB, 'files that are read at once, a MiB each', 'further ones wait'),
  maxEditingBytes: bytes(
    48 * MiB,
    'what `edit_file` has in hand at once, 12 MiB for each file',
    'further ones wait',
  ),
  maxSkillReadingBytes: bytes(
    32 * MiB,
    'files of skills that are read at once, 16 MiB each',
    'further ones wait',
  ),
  maxFileWalks: number(
    8,
    'folders that are listed, searched or looked into for completions and skills at once',
    'further ones wait',
  ),
  maxWatchedFolders: number(
    1000,
    'folders that the system is asked to tell of, where clients subscribed to files in them',
    'files in further ones are looked at, a thousand every 3 s',
  ),
  maxFrontMatterBytes: bytes(16 * KiB, 'the front matter of a skill', 'the skill is left out'),
  maxMoonYears: number(100, 'years that `moon_events` looks through', 'the call fails'),
  maxInvokeDepth: number(8, 'tools that call tools, one inside the other', 'the innermost call fails'),
  maxInvokes: number(1000, 'calls of tools that one call makes', 'the next one fails'),
  maxScriptMs: number(
    30_000,
    'milliseconds that a script given to `run` runs, without those in which it waits',
    'the script fails',
  ),
  maxScriptMemoryBytes: bytes(64 * MiB, 'what a script holds', 'the script fails'),
  maxScriptCalls: number(100, 'calls that a script makes', 'further ones fail'),
  maxScriptArgumentsBytes: bytes(MiB, 'the arguments of one of them', 'the call fails'),
  maxScriptStepBytes: bytes(4 * MiB, 'those of all that it makes at once', 'further calls fail'),
  maxScriptOutputBytes: bytes(MiB, 'what a script returns', 'the script fails'),
  maxScriptLogBytes: bytes(4 * KiB, 'what a script logs', 'further lines are left out'),
  maxScriptThreads: number(8, 'scripts that run at once', 'further ones wait'),
  maxScriptKeptBytes: bytes(2 * MiB, 'what is kept of a script that waits for its user', 'the script fails'),
  maxScriptStoreBytes: bytes(64 * MiB, 'what is kept of all those scripts', 'further ones fail'),
  maxScriptStorePerCallerBytes: bytes(16 * MiB, 'what is kept of those of one caller', 'further ones fail'),
  maxUpstreamConnections: number(
    256,
    'connections to an upstream that keeps a session or a process for each client, beside the one that reads its lists',
    'one that is idle ends, of whoever has most if they have such; where none is, the newest of whoever has most, and one more of their own fails',
  ),
  maxUpstreamStreams: number(
    256,
    'requests that stay open at an upstream without sessions, one for each resource that clients subscribe to there',
    'further subscriptions are refused',
  ),
  maxUpstreamStreamsPerCaller: number(
    128,
    'requests that stay open there for subscriptions of one caller that is known',
    'its further subscriptions are refused',
  ),
  maxUpstreamQuestions: number(
    1000,
    'calls that are open at an upstream while their clients find answers to call again with',
    'the oldest of whoever has most is given up',
  ),
  maxUpstreamOfferBytes: bytes(
    256 * KiB,
    'a tool, resource or prompt as an upstream lists it, and what it says of itself',
    'that entry is left out; who says too much of itself is not served',
  ),
  maxUpstreamMessageBytes: bytes(16 * MiB, 'a message of an upstream', 'the call fails'),
  maxUpstreamValueBytes: bytes(
    32 * MiB,
    'what it takes once it is read, of room and of time',
    'the call fails',
  ),
  maxUpstreamArrivingBytes: bytes(
    64 * MiB,
    'those that are arriving, in all',
    'the longest one of the upstream that sends most is given up',
  ),
  maxPinnedTools: number(
    5000,
    'tools of one upstream that are remembered as they were approved',
    'those seen for the first time after that are not served',
  ),
  maxTemplates: number(1000, 'tools made by `register_tool`', '`register_tool` fails'),
  maxTemplatesPerCaller: number(200, 'those of one caller', '`register_tool` fails'),
  maxTemplateStoreBytes: bytes(MiB, 'what those tools take together', '`register_tool` fails'),
  maxTemplateStorePerCallerBytes: bytes(256 * KiB, 'what those of one caller take', '`register_tool` fails'),
  maxTemplateBytes: bytes(16 * KiB, 'a template given to `register_tool`', '`register_tool` fails'),
  maxTemplateDescriptionBytes: bytes(KiB, 'the description of such a tool', '`register_tool` fails'),
  maxTemplatePlaceholders: number(64, 'the arguments of such a tool', '`register_tool` fails'),
  maxTemplateTextBytes: bytes(MiB, 'the text that such a tool gives', 'the call fails'),
  maxConsoleMessages: number(
    10_000,
    'messages that the console keeps, where there is one',
    'the oldest are forgotten',
  ),
  maxConsoleBytes: bytes(16 * MiB, 'what those messages take', 'the oldest are forgotten'),
  maxConsoleMessageBytes: bytes(256 * KiB, 'a message that the console keeps', 'its beginning is kept'),
  maxConsoleReaders: number(16, 'pages of the console that are open', '429'),
  maxRecordingBytes: bytes(1024 * MiB, 'the file that `--record` writes', 'nothing more is recorded'),
  maxListedTasks: number(10_000, 'tasks of a task list that is kept in `memory:`', '`create_task` fails'),
  maxTaskListBytes: bytes(32 * MiB, 'what those tasks take', '`create_task` or `update_task` fails'),
} as const satisfies { readonly [name: string]: Budget }

/** The name of a budget. */
export type BudgetName = keyof typeof BUDGETS

/** How far each of what callers can make grow may grow. */
export type Budgets = { readonly [name in BudgetName]: number }

/**
 * The names of all budgets.
 * @example const flags = BUDGET_NAMES.map(flagOf)
 */
export const BUDGET_NAMES = Object.keys(BUDGETS) as readonly BudgetName[] // Object.keys does not say so itself.

/**
 * The defaults with what somebody chose instead.
 * @example const { maxSessions } = settleBudgets({ maxSessions: 10 })
 */
export function settleBudgets(chosen: Partial<Budgets> = {}): Budgets {
  const limits = BUDGET_NAMES.map((name) => [name, chosen[name] ?? BUDGETS[name].limit])
  return Object.fromEntries(limits) as Budgets // One entry for each name.
}

/**
 * The flag that sets a budget: `--max-body` for `maxBodyBytes`.
 * @example flagOf('maxBodyBytes')
 */
export function flagOf(name: BudgetName): string {
  return name.replace(/Bytes$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
