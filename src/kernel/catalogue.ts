import { fitPrompt, fitResource, fitTemplate, fitTool } from './fitting/listing.ts'
import type { ListName } from './methods/subscriptions.ts'
import { type Prompt, preparePrompt } from './offers/prompt.ts'
import { prepareResource, prepareTemplate, type Resource, type Template } from './offers/resource.ts'
import { prepareTool, type Tool } from './offers/tool.ts'
import type { PromptDefinition } from './protocol/prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from './protocol/resource.ts'
import type { ToolDefinition } from './protocol/tool.ts'
import { Registry } from './registry.ts'
import type { Validator } from './validator.ts'

/** What authors offer. A list that is given, even an empty one, is a list the server has. */
export interface Offers {
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly resources?: readonly ResourceDefinition[] | undefined
  readonly templates?: readonly ResourceTemplateDefinition[] | undefined
  readonly prompts?: readonly PromptDefinition[] | undefined
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
  changed(list: ListName): void
}

export function createCatalogue({ offers, pageSize, validator, changed }: CatalogueOptions): Catalogue {
  const tools = new Registry<ToolDefinition, Tool>({
    noun: 'tool',
    pageSize,
    prepare: (definition) => prepareTool(definition, validator),
    fit: fitTool,
    changed: () => changed('tools'),
  })
  const resources = new Registry<ResourceDefinition, Resource>({
    noun: 'resource',
    pageSize,
    prepare: prepareResource,
    fit: fitResource,
    changed: () => changed('resources'),
  })
  const templates = new Registry<ResourceTemplateDefinition, Template>({
    noun: 'resource template',
    pageSize,
    prepare: prepareTemplate,
    fit: fitTemplate,
    changed: () => changed('resources'),
  })
  const prompts = new Registry<PromptDefinition, Prompt>({
    noun: 'prompt',
    pageSize,
    prepare: preparePrompt,
    fit: fitPrompt,
    changed: () => changed('prompts'),
  })
  for (const tool of offers.tools ?? []) tools.add(tool)
  for (const resource of offers.resources ?? []) resources.add(resource)
  for (const template of offers.templates ?? []) templates.add(template)
  for (const prompt of offers.prompts ?? []) prompts.add(prompt)
  return { tools, resources, templates, prompts }
}
