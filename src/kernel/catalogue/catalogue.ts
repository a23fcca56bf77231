import type { Audience } from '../callers/audience.ts'
import { UNSCOPED } from '../callers/audience.ts'
import type { ListName } from '../calls/listener.ts'
import type { PromptDefinition } from '../definitions/prompt.ts'
import type { Relayed } from '../definitions/relayed.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../definitions/resource.ts'
import type { ToolDefinition } from '../definitions/tool.ts'
import { fitPrompt, fitResource, fitTemplate, fitTool } from '../fitting/listing.ts'
import { isObject } from '../jsonrpc/message.ts'
import type { Validator } from '../ports/validator.ts'
import type { Settings } from '../settings.ts'
import type { FrontOptions } from './front.ts'
import { from, namedFrom, type Origin } from './origin.ts'
import { type OfferedPrompt, preparePrompt } from './prompt.ts'
import { Registry } from './registry.ts'
import { relayPrompt, relayResource, relayTemplate, relayTool } from './relayed.ts'
import { type OfferedResource, type OfferedTemplate, prepareResource, prepareTemplate } from './resource.ts'
import { checkName, type OfferedTool, prepareTool } from './tool.ts'

/** What authors offer. A list that is given, even an empty one, is a list the server has. */
export interface Offers {
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly resources?: readonly ResourceDefinition[] | undefined
  readonly templates?: readonly ResourceTemplateDefinition[] | undefined
  readonly prompts?: readonly PromptDefinition[] | undefined
  /** The module they belong to, where that makes a difference. */
  readonly origin?: Origin | undefined
}

/** What is offered, or what of it somebody sees. */
export interface Lists {
  readonly tools: Iterable<OfferedTool>
  readonly resources: Iterable<OfferedResource>
  readonly templates: Iterable<OfferedTemplate>
  readonly prompts: Iterable<OfferedPrompt>
}

/** The live lists of a server. */
export interface Catalogue {
  readonly tools: Registry<ToolDefinition | Relayed, OfferedTool>
  readonly resources: Registry<ResourceDefinition | Relayed, OfferedResource>
  readonly templates: Registry<ResourceTemplateDefinition | Relayed, OfferedTemplate>
  readonly prompts: Registry<PromptDefinition | Relayed, OfferedPrompt>
}

export interface CatalogueOptions {
  readonly offers: readonly Offers[]
  readonly pageSize: number
  readonly validator: Validator
  /** Whether what asks for no scope is there for callers whose scopes are limited. */
  readonly unscoped: Settings['unscoped']
  /** What stands before the tools, whose names no tool may have that stays on the list. */
  readonly front: FrontOptions | undefined
  /** How clients read what was left out of results that are held to a budget, and whether all are. */
  readonly rest: { template(): ResourceTemplateDefinition; readonly always: boolean } | undefined
  changed(list: ListName, audience: Audience): void
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { offers, pageSize, validator, unscoped, front, rest, changed } = options
  const left = new LeftOut(rest)
  const taken = front?.tools.map(({ name }) => name) ?? []
  const toTool = (definition: ToolDefinition | Relayed) =>
    isRelayed(definition) ? relayTool(definition) : prepareTool(definition, validator)
  const closing = unscoped === 'closed' ? close : <Item>(item: Item) => item
  const tools: Catalogue['tools'] = new Registry({
    noun: 'tool',
    pageSize,
    prepare: (definition, origin) =>
      left.see(checkName(namedFrom(closing(toTool(definition)), origin), taken), templates),
    fit: fitTool,
    changed: (audience, { always }) =>
      changed('tools', taken.length === 0 || always ? audience : { ...audience, hidden: true }),
  })
  const resources: Catalogue['resources'] = new Registry({
    noun: 'resource',
    pageSize,
    prepare: (definition, origin) => from(closing(toResource(definition)), origin),
    fit: fitResource,
    changed: (audience) => changed('resources', audience),
  })
  const templates: Catalogue['templates'] = new Registry({
    noun: 'resource template',
    pageSize,
    // Whoever may have a result may have all of it.
    prepare: (definition, origin) =>
      from(left.is(definition) ? toTemplate(definition) : closing(toTemplate(definition)), origin),
    fit: fitTemplate,
    changed: (audience) => changed('resources', audience),
  })
  const prompts: Catalogue['prompts'] = new Registry({
    noun: 'prompt',
    pageSize,
    prepare: (definition, origin) => namedFrom(closing(toPrompt(definition)), origin),
    fit: fitPrompt,
    changed: (audience) => changed('prompts', audience),
  })
  if (rest?.always === true) left.offer(templates)
  return filled({ tools, resources, templates, prompts }, offers)
}

function filled(catalogue: Catalogue, offers: readonly Offers[]): Catalogue {
  const { tools, resources, templates, prompts } = catalogue
  for (const { origin, ...offered } of offers) {
    for (const tool of offered.tools ?? []) tools.add(tool, undefined, origin)
    for (const resource of offered.resources ?? []) resources.add(resource, undefined, origin)
    for (const template of offered.templates ?? []) templates.add(template, undefined, origin)
    for (const prompt of offered.prompts ?? []) prompts.add(prompt, undefined, origin)
  }
  return catalogue
}

function isRelayed(definition: unknown): definition is Relayed {
  return isObject(definition) && 'relayed' in definition
}

function toResource(definition: ResourceDefinition | Relayed): OfferedResource {
  return isRelayed(definition) ? relayResource(definition) : prepareResource(definition)
}

function toTemplate(definition: ResourceTemplateDefinition | Relayed): OfferedTemplate {
  return isRelayed(definition) ? relayTemplate(definition) : prepareTemplate(definition)
}

function toPrompt(definition: PromptDefinition | Relayed): OfferedPrompt {
  return isRelayed(definition) ? relayPrompt(definition) : preparePrompt(definition)
}

/** The way to what was left out of results, which is offered once something is held to a budget. */
class LeftOut {
  readonly #rest: CatalogueOptions['rest']
  #template: ResourceTemplateDefinition | undefined

  constructor(rest: CatalogueOptions['rest']) {
    this.#rest = rest
  }

  is(definition: ResourceTemplateDefinition | Relayed): boolean {
    return definition === this.#template
  }

  see(tool: OfferedTool, templates: Catalogue['templates']): OfferedTool {
    if (tool.budget !== undefined) this.offer(templates)
    return tool
  }

  offer(templates: Catalogue['templates']): void {
    if (this.#rest === undefined || this.#template !== undefined) return
    this.#template = this.#rest.template()
    templates.add(this.#template)
  }
}

/** What asks for no scope asks for one from now on. */
export function close<Item extends { readonly scopes?: readonly string[] }>(item: Item): Item {
  return item.scopes === undefined || item.scopes.length === 0 ? { ...item, scopes: UNSCOPED } : item
}
