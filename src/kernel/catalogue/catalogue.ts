import type { Audience } from '../callers/audience.ts'
import { UNSCOPED } from '../callers/audience.ts'
import type { ListName } from '../calls/listener.ts'
import type { PromptDefinition } from '../definitions/prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../definitions/resource.ts'
import type { ToolDefinition } from '../definitions/tool.ts'
import { fitPrompt, fitResource, fitTemplate, fitTool } from '../fitting/listing.ts'
import type { Validator } from '../ports/validator.ts'
import type { Settings } from '../settings.ts'
import { type OfferedPrompt, preparePrompt } from './prompt.ts'
import { Registry } from './registry.ts'
import { type OfferedResource, type OfferedTemplate, prepareResource, prepareTemplate } from './resource.ts'
import { type OfferedTool, prepareTool } from './tool.ts'

/** What authors offer. A list that is given, even an empty one, is a list the server has. */
export interface Offers {
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly resources?: readonly ResourceDefinition[] | undefined
  readonly templates?: readonly ResourceTemplateDefinition[] | undefined
  readonly prompts?: readonly PromptDefinition[] | undefined
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
  readonly tools: Registry<ToolDefinition, OfferedTool>
  readonly resources: Registry<ResourceDefinition, OfferedResource>
  readonly templates: Registry<ResourceTemplateDefinition, OfferedTemplate>
  readonly prompts: Registry<PromptDefinition, OfferedPrompt>
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
  const tools = new Registry<ToolDefinition, OfferedTool>({
    noun: 'tool',
    pageSize,
    prepare: (definition) => closing(prepareTool(definition, validator)),
    fit: fitTool,
    changed: (audience) => changed('tools', audience),
  })
  const resources = new Registry<ResourceDefinition, OfferedResource>({
    noun: 'resource',
    pageSize,
    prepare: (definition) => closing(prepareResource(definition)),
    fit: fitResource,
    changed: (audience) => changed('resources', audience),
  })
  const templates = new Registry<ResourceTemplateDefinition, OfferedTemplate>({
    noun: 'resource template',
    pageSize,
    prepare: (definition) => closing(prepareTemplate(definition)),
    fit: fitTemplate,
    changed: (audience) => changed('resources', audience),
  })
  const prompts = new Registry<PromptDefinition, OfferedPrompt>({
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
