import type { Audience } from './audience.ts'
import { UNSCOPED } from './audience.ts'
import { fitPrompt, fitResource, fitTemplate, fitTool } from './fitting/listing.ts'
import type { ListName } from './listener.ts'
import { type Prompt, preparePrompt } from './offers/prompt.ts'
import { prepareResource, prepareTemplate, type Resource, type Template } from './offers/resource.ts'
import { prepareTool, type Tool } from './offers/tool.ts'
import type { PromptDefinition } from './protocol/prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from './protocol/resource.ts'
import type { ToolDefinition } from './protocol/tool.ts'
import { Registry } from './registry.ts'
import type { Settings } from './settings.ts'
import type { Validator } from './validator.ts'

/** What authors offer. A list that is given, even an empty one, is a list the server has. */
export interface Offers {
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly resources?: readonly ResourceDefinition[] | undefined
  readonly templates?: readonly ResourceTemplateDefinition[] | undefined
  readonly prompts?: readonly PromptDefinition[] | undefined
}

/** What is offered, or what of it somebody sees. */
export interface Lists {
  readonly tools: Iterable<Tool>
  readonly resources: Iterable<Resource>
  readonly templates: Iterable<Template>
  readonly prompts: Iterable<Prompt>
}

/** The live lists of a server. */
export interface Catalogue {
  readonly tools: Registry<ToolDefinition, Tool>
  readonly resources: Registry<ResourceDefinition, Resource>
  readonly templates: Registry<ResourceTemplateDefinition, Template>
  readonly prompts: Registry<PromptDefinition, Prompt>
}

export interface CatalogueOptions {
  readonly offers: Offers
  readonly pageSize: number
  readonly validator: Validator
  /** Whether what asks for no scope is there for callers whose scopes are limited. */
  readonly unscoped: Settings['unscoped']
  changed(list: ListName, audience: Audience): void
}

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { offers, pageSize, validator, unscoped, changed } = options
  const closing = unscoped === 'closed' ? close : <Item>(item: Item) => item
  const tools = new Registry<ToolDefinition, Tool>({
    noun: 'tool',
    pageSize,
    prepare: (definition) => closing(prepareTool(definition, validator)),
    fit: fitTool,
    changed: (audience) => changed('tools', audience),
  })
  const resources = new Registry<ResourceDefinition, Resource>({
    noun: 'resource',
    pageSize,
    prepare: (definition) => closing(prepareResource(definition)),
    fit: fitResource,
    changed: (audience) => changed('resources', audience),
  })
  const templates = new Registry<ResourceTemplateDefinition, Template>({
    noun: 'resource template',
    pageSize,
    prepare: (definition) => closing(prepareTemplate(definition)),
    fit: fitTemplate,
    changed: (audience) => changed('resources', audience),
  })
  const prompts = new Registry<PromptDefinition, Prompt>({
    noun: 'prompt',
    pageSize,
    prepare: (definition) => closing(preparePrompt(definition)),
    fit: fitPrompt,
    changed: (audience) => changed('prompts', audience),
  })
  for (const tool of offers.tools ?? []) tools.add(tool)
  for (const resource of offers.resources ?? []) resources.add(resource)
  for (const template of offers.templates ?? []) templates.add(template)
  for (const prompt of offers.prompts ?? []) prompts.add(prompt)
  return { tools, resources, templates, prompts }
}

/** What asks for no scope asks for one from now on. */
export function close<Item extends { readonly scopes?: readonly string[] }>(item: Item): Item {
  return item.scopes === undefined || item.scopes.length === 0 ? { ...item, scopes: UNSCOPED } : item
}
