import { type Implementation, type JsonObject, type LogLevel, META, type Revision } from '../kernel/index.ts'

/** Who the client is. */
export interface Self {
  readonly info: Implementation
  readonly capabilities: JsonObject
}

/** The same with what it wants to hear. */
export interface Saying extends Self {
  readonly logLevel: LogLevel | undefined
}

interface Introducing {
  readonly self: Saying
  readonly revision: Revision
  /** What goes into `_meta` beside that. */
  readonly more: JsonObject | undefined
}

/** The parameters of a request with their `_meta`: a revision without a handshake has every request say who sends it. */
export function introduce(params: JsonObject, { self, revision, more }: Introducing): JsonObject {
  const meta = revision.opening === 'handshake' ? more : { ...say(self, revision), ...more }
  if (meta === undefined || Object.keys(meta).length === 0) return params
  // Members after a spread are defined one by one, in the runtime, so it stands before where it can.
  return '_meta' in params ? { ...params, _meta: meta } : { _meta: meta, ...params }
}

function say({ info, capabilities, logLevel }: Saying, { id }: Revision): JsonObject {
  const said: { [key: string]: unknown } = {}
  said[META.protocolVersion] = id
  said[META.clientCapabilities] = capabilities
  said[META.clientInfo] = info
  if (logLevel !== undefined) said[META.logLevel] = logLevel
  return said
}
