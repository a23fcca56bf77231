import type { Audience } from '../callers/audience.ts'
import { isGranted, ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Peer } from '../calls/peer.ts'
import { findString } from '../check/params.ts'
import type { ToolDefinition } from '../definitions/tool.ts'
import { isObject, type JsonObject, type Request } from '../jsonrpc/message.ts'
import type { Validator } from '../ports/validator.ts'
import type { Catalogue } from './catalogue.ts'
import { type OfferedTool, prepareTool } from './tool.ts'

/** What stands before a server's tools. */
export interface FrontOptions {
  /** The tools that stand for the others; the one called `call` has another one called in its place. */
  readonly tools: readonly ToolDefinition[]
  /** How many tokens a client is shown as they are; above that it is shown these. */
  readonly upTo: number
  /** Whether a client searches among tools itself, and is to be shown all there is. */
  searches(info: Peer['info']): boolean
}

/** Somebody who is shown tools. */
export interface Viewer {
  readonly peer: Peer | undefined
  readonly principal: Principal | undefined
}

/** Bytes of JSON that make a token, about. */
const BYTES_A_TOKEN = 3.6

/** The tools that a client is shown in place of those that are too many for a model. */
export class ToolFront {
  readonly #options: FrontOptions
  readonly #tools: ReadonlyMap<string, OfferedTool>
  readonly #all: Catalogue['tools']
  readonly #tokens = new WeakMap<JsonObject, number>()

  constructor(options: FrontOptions, all: Catalogue['tools'], validator: Validator) {
    this.#options = options
    this.#tools = new Map(options.tools.map((tool) => [tool.name, prepareTool(tool, validator)]))
    this.#all = all
  }

  /** Those that stand there, whoever looks. */
  get tools(): Iterable<OfferedTool> {
    return this.#tools.values()
  }

  /** Whether clients are shown one thing or another, by who they are and by what there is. */
  get depends(): boolean {
    return this.#options.upTo > 0
  }

  find(name: string): OfferedTool | undefined {
    return this.#tools.get(name)
  }

  /** Whether it stands before the tools for this client. */
  isBefore(viewer: Viewer): boolean {
    const { upTo, searches } = this.#options
    if (upTo === 0) return true
    return !searches(viewer.peer?.info) && this.#count(viewer, upTo) > upTo
  }

  /** Tells of changes, one after the other, whether a client sees them. */
  watch(viewer: Viewer): (audiences: readonly Audience[]) => boolean {
    let was = this.isBefore(viewer)
    return (audiences) => {
      const is = this.isBefore(viewer)
      const hides = was && is
      was = is
      return !hides || audiences.some(({ hidden }) => hidden !== true)
    }
  }

  /** A call of a tool as it is meant, whose name may be that of one of these. */
  redirect(request: Request, viewer: Viewer): Request {
    const name = findString(request.params, 'name') ?? ''
    if (request.method !== 'tools/call' || !this.#tools.has(name) || !this.#isMeant(name, viewer))
      return request
    const through = name === 'call' ? this.#through(request.params, viewer.principal) : undefined
    return through === undefined
      ? { ...request, front: 'own' }
      : { ...request, params: through, front: 'through' }
  }

  /** A client that was shown it a moment ago may call it, unless there is another one of its name. */
  #isMeant(name: string, viewer: Viewer): boolean {
    return this.isBefore(viewer) || !this.#all.has(name, ownerOf(viewer.principal))
  }

  /** The parameters of the call that a call of `call` stands for; what the caller may not see is not there. */
  #through(params: JsonObject = {}, principal: Principal | undefined): JsonObject | undefined {
    const given = params['arguments']
    if (!isObject(given) || typeof given['name'] !== 'string') return undefined
    const { name, arguments: args = {} } = given
    if (!isObject(args) || Object.keys(given).some((key) => key !== 'name' && key !== 'arguments'))
      return undefined
    const tool = this.#all.find(name, ownerOf(principal))
    if (tool !== undefined && !isGranted(tool.scopes, principal)) return undefined
    const { task: _task, ...rest } = params
    return { ...rest, name, arguments: args }
  }

  /** How many tokens the whole list would be, as far as that matters. */
  #count({ principal }: Viewer, enough: number): number {
    let tokens = 0
    for (const { listed } of this.#all.visible(principal)) {
      tokens += this.#tokensOf(listed)
      if (tokens > enough) break
    }
    return tokens
  }

  #tokensOf(listed: JsonObject): number {
    const known = this.#tokens.get(listed)
    if (known !== undefined) return known
    const tokens = new TextEncoder().encode(JSON.stringify(listed)).length / BYTES_A_TOKEN
    this.#tokens.set(listed, tokens)
    return tokens
  }
}
