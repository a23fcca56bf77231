import { type HeaderArgument, headerArguments, isObject, type JsonObject } from '../kernel/index.ts'
import { ClientError } from './errors.ts'
import type { Tool } from './results.ts'
import type { HeaderMap } from './wire.ts'
import { encodeHeader } from './wires/request-headers.ts'

/** Which arguments of which tools are repeated in headers, as far as the tools have been listed. */
export class HeaderArguments {
  readonly #warn: (error: Error) => void
  #byTool = new Map<string, readonly HeaderArgument[]>()

  constructor(warn: (error: Error) => void) {
    this.#warn = warn
  }

  /** The tools that can be called: one whose schema asks for headers that cannot be is left out. */
  learn(tools: readonly Tool[]): readonly Tool[] {
    this.#byTool = new Map()
    return tools.filter(({ name, inputSchema }) => {
      if (!JSON.stringify(inputSchema ?? {}).includes('"x-mcp-header"')) return true
      try {
        this.#byTool.set(name, headerArguments(name, inputSchema))
        return true
      } catch (error) {
        this.#warn(
          new ClientError('nonsense', `A tool is left out: ${(error as Error).message}`, { cause: error }),
        )
        return false
      }
    })
  }

  /** Undefined where there are none. */
  for({ name, arguments: args }: JsonObject): HeaderMap | undefined {
    const repeated = this.#byTool.get(String(name))
    if (repeated === undefined) return undefined
    const headers = repeated.map(({ name: header, path }) => [header, valueAt(args, path)] as const)
    const present = headers.filter(([, value]) => value !== undefined && value !== null)
    return Object.fromEntries(
      present.map(([header, value]) => [`mcp-param-${header.toLowerCase()}`, encodeHeader(String(value))]),
    )
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (one, key) => (isObject(one) && Object.hasOwn(one, key) ? one[key] : undefined),
    args,
  )
}
