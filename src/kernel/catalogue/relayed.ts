import type { Relayed } from '../definitions/relayed.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Shape } from '../ports/validator.ts'
import type { HeaderArgument } from './header-annotations.ts'
import { headerArguments } from './header-arguments.ts'
import type { OfferedPrompt } from './prompt.ts'
import type { OfferedResource, OfferedTemplate } from './resource.ts'
import type { OfferedTool } from './tool.ts'
import { parseUriTemplate, type UriTemplate } from './uri-template.ts'

export function relayTool({ relayed, scopes = [], task, tasks, about, answer }: Relayed): OfferedTool {
  return {
    key: String(relayed['name']),
    scopes,
    listed: relayed,
    input: AS_IT_IS,
    output: undefined,
    headers: headersOf(relayed),
    task,
    tasks,
    repeatable: tasks !== undefined, // To follow a task once more does no harm.
    relayed: true,
    always: false,
    budget: undefined,
    about,
    ask: undefined,
    run: (_args, call) => answer(call),
  }
}

export function relayResource(definition: Relayed): OfferedResource {
  const key = String(definition.relayed['uri'])
  return { key, ...relayContents(definition), modified: undefined, read: definition.answer }
}

export function relayTemplate(definition: Relayed): OfferedTemplate {
  const { relayed, complete, answer } = definition
  const key = String(relayed['uriTemplate'])
  return {
    key,
    ...relayContents(definition),
    template: readTemplate(key),
    complete: {},
    suggest: complete,
    read: (_variables, call) => answer(call),
  }
}

/** What a resource and a template have in common. */
function relayContents({ relayed, scopes = [], subscribable, confirm }: Relayed) {
  return {
    scopes,
    listed: relayed,
    mimeType: undefined,
    subscribable,
    cache: undefined,
    relayed: true as const,
    confirm,
  }
}

export function relayPrompt({ relayed, scopes = [], complete, answer }: Relayed): OfferedPrompt {
  return {
    key: String(relayed['name']),
    scopes,
    listed: relayed,
    description: undefined,
    arguments: [],
    complete: {},
    suggest: complete,
    relayed: true,
    render: (_args, call) => answer(call),
  }
}

/** What a tool takes is for its own server to say. */
const AS_IT_IS: Shape = { schema: { type: 'object' }, read: (value) => ({ value }) }

/** A tool that asks for headers that cannot be is one that clients leave out. */
function headersOf({ name, inputSchema }: JsonObject): readonly HeaderArgument[] {
  try {
    return headerArguments(String(name), inputSchema as JsonObject) // Anything else has no annotations, or throws.
  } catch {
    return []
  }
}

/** One that we cannot read is listed all the same. */
function readTemplate(uriTemplate: string): UriTemplate {
  try {
    return parseUriTemplate(uriTemplate)
  } catch {
    return { variables: [], match: () => undefined, search: () => ({ values: undefined, steps: 0 }) }
  }
}
