import type { Command, Target } from '../../client/index.ts'
import { type Call, type JsonObject, META } from '../../kernel/index.ts'
import type { ListOf } from './listing.ts'
import type { UpstreamOptions } from './options.ts'

/** What is between a client and us, and not for others. */
const HOP = ['progressToken', META.protocolVersion, META.clientCapabilities, META.clientInfo, META.logLevel]

/** What `needs` was told to keep: where the call is open, or what the upstream wants back. */
export interface RoundState {
  readonly held?: string
  /** The node that it is open on. */
  readonly node?: string
  readonly again?: true
  readonly keys?: readonly string[]
  readonly requestState?: string
  /** The questions by which its client was to open pages, after which the call is made anew. */
  readonly urls?: readonly string[]
}

export function targetOf(
  { url, command, server, args, env, cwd }: UpstreamOptions,
  stderr: (text: string) => void,
): Target {
  if (url !== undefined) return url
  if (server !== undefined) return server
  return {
    command,
    stderr,
    ownGroup: true,
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  } as Command // One of the three is there.
}

/** The parameters as they came, with the upstream's own names, and what it asked for in the round before. */
export function paramsOf(
  { params, answers }: Call,
  own: JsonObject,
  state: RoundState | undefined,
): JsonObject {
  const { _meta, inputResponses, requestState, task, ...rest } = params ?? {}
  const sent = Object.assign(rest, own)
  if (state?.again !== true) return sent
  const given = Object.entries(answers).filter(([key]) => state.keys?.includes(key))
  return {
    ...sent,
    inputResponses: Object.fromEntries(given),
    ...(state.requestState !== undefined && { requestState: state.requestState }),
  }
}

/** What the upstream calls it; behind a template it is whatever was asked for. */
export function ownOf(list: ListOf, { name, uri }: JsonObject, params: JsonObject | undefined): JsonObject {
  if (list === 'resources') return { uri }
  return list === 'templates' ? { uri: params?.['uri'] } : { name }
}

export function completionOf(list: ListOf, { name, uriTemplate }: JsonObject): JsonObject {
  return {
    ref: list === 'prompts' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri: uriTemplate },
  }
}

/** What a caller says beside, as far as it is for others. */
export function metaOf(meta: JsonObject | undefined): JsonObject | undefined {
  if (meta === undefined) return undefined
  const handedOn = Object.entries(meta).filter(([key]) => !HOP.includes(key))
  return handedOn.length === 0 ? undefined : Object.fromEntries(handedOn)
}
