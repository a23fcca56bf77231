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

/** What goes into `_meta`: a revision without a handshake has every request say who sends it. */
export function introduce(
  { info, capabilities, logLevel }: Saying,
  revision: Revision,
  more: JsonObject,
): JsonObject | undefined {
  if (revision.opening === 'handshake') return Object.keys(more).length === 0 ? undefined : more
  return {
    [META.protocolVersion]: revision.id,
    [META.clientCapabilities]: capabilities,
    [META.clientInfo]: info,
    ...(logLevel !== undefined && { [META.logLevel]: logLevel }),
    ...more,
  }
}
