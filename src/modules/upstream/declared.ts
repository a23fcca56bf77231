import { isObject, type JsonObject, type Peer, type Revision } from '../../kernel/index.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

/** What an upstream is told that a client can do: what its revision has a word for, less what is between it and us. */
export function declaredOf({ capabilities, revision }: Peer): JsonObject {
  const { tasks: _own, extensions, elicitation, ...rest } = capabilities
  return { ...rest, ...elicitationOf(elicitation, revision), ...extensionsOf(extensions) }
}

function elicitationOf(declared: unknown, { elicitation: known }: Revision): JsonObject {
  if (!isObject(declared) || known.length === 0) return {}
  const modes = Object.entries(declared).filter(
    ([mode]) => mode === 'form' || known.some((one) => one === mode),
  )
  return { elicitation: Object.fromEntries(modes) }
}

function extensionsOf(declared: unknown): JsonObject {
  if (!isObject(declared)) return {}
  const { [TASKS]: _ours, ...others } = declared
  return Object.keys(others).length === 0 ? {} : { extensions: others }
}
