interface Difference {
  readonly why: string
  /** Between which client and which upstream; wherever the upstream is older, unless said. */
  readonly when?: (client: string, upstream: string) => boolean
}

const OLDER = 'an older upstream has no words for it'

/** Dialogues that go otherwise through a gateway, and why. */
const DIFFERENCES: { readonly [file: string]: Difference } = {
  'asking/cancelled-while-asking.txt': { why: OLDER },
  'asking/form.txt': { why: OLDER },
  'asking/model-and-roots.txt': { why: 'an older upstream has no keys for its questions' },
  'asking/page.txt': { why: OLDER },
  'asking/prompts-and-resources.txt': { why: OLDER },
  'asking/rounds.txt': { why: 'an older upstream has no keys for its questions' },
  'asking/state.txt': { why: 'an older upstream has no keys for its questions' },
  'lifecycle/stamps.txt': { why: 'an older upstream does not say how long a result keeps' },
  'lifecycle/unknown-version.txt': { why: 'arguments are refused in the way of the upstream' },
  'prompts/get.txt': { why: OLDER },
  'resources/read.txt': { why: OLDER },
  'tools/call.txt': { why: OLDER },
  'tools/list.txt': { why: OLDER },
  'watching/progress.txt': { why: OLDER },
  'tools/errors.txt': {
    why: 'arguments are refused in the way of the upstream',
    when: (client, upstream) => refusesByResult(client) !== refusesByResult(upstream) || client > upstream,
  },
  'tasks/core.txt': {
    why: 'an older upstream has no tasks, and the extension does not say which tools run as tasks only',
    when: (_client, upstream) => upstream !== '2025-11-25',
  },
  'tasks/extension.txt': { why: 'an older upstream has no tasks', when: hasNoTasks },
  'tasks/without-extension.txt': { why: 'an older upstream has no tasks', when: hasNoTasks },
  'tasks/older.txt': {
    why: 'what an older upstream runs as a task it runs as a call',
    when: hasNoTasks,
  },
}

export function differenceOf(file: string, client: string, upstream: string): string | undefined {
  const difference = DIFFERENCES[file.replaceAll('\\', '/')]
  if (difference === undefined) return undefined
  const { why, when = isOlder } = difference
  return when(client, upstream) ? why : undefined
}

function hasNoTasks(_client: string, upstream: string): boolean {
  return upstream < '2025-11-25'
}

function isOlder(client: string, upstream: string): boolean {
  return upstream < client
}

function refusesByResult(revision: string): boolean {
  return revision >= '2025-11-25'
}
