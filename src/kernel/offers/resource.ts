import type { Call } from '../call.ts'
import type { CacheHint } from '../protocol/implementation.ts'
import type { Completer } from '../protocol/prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../protocol/resource.ts'
import type { Offer } from '../shelf.ts'
import { parseUriTemplate, type UriTemplate } from '../uri-template.ts'
import { checkCompleted, checkNamed, present } from './definition.ts'

/** What both kinds of resource have in common once a URI is known to be theirs. */
interface Readable extends Offer {
  readonly mimeType: string | undefined
  readonly subscribable: boolean
  readonly cache: CacheHint | undefined
}

export interface Resource extends Readable {
  readonly modified: (() => Date) | undefined
  read(call: Call): unknown
}

export interface Template extends Readable {
  readonly template: UriTemplate
  readonly complete: { readonly [variable: string]: Completer }
  read(variables: { readonly [variable: string]: string }, call: Call): unknown
}

export function prepareResource(definition: ResourceDefinition): Resource {
  const uri = checkNamed('resource', definition, 'uri', 'read')
  if (!URL.canParse(uri)) throw new TypeError(`Resource ${uri}: its uri must be an absolute URI`)
  const { name, title, description, mimeType, size, annotations, icons, _meta } = definition
  return {
    key: uri,
    scopes: definition.scopes ?? [],
    listed: present({ uri, name, title, description, mimeType, size, annotations, icons, _meta }),
    mimeType,
    modified: definition.modified,
    subscribable: definition.subscribable ?? false,
    cache: definition.cache,
    read: (call) => definition.read(call),
  }
}

export function prepareTemplate(definition: ResourceTemplateDefinition): Template {
  const uriTemplate = checkNamed('resource template', definition, 'uriTemplate', 'read')
  const template = parseUriTemplate(uriTemplate)
  const { name, title, description, mimeType, annotations, icons, _meta, complete = {} } = definition
  checkCompleted(`Resource template ${uriTemplate}`, complete, template.variables)
  return {
    key: uriTemplate,
    scopes: definition.scopes ?? [],
    listed: present({ uriTemplate, name, title, description, mimeType, annotations, icons, _meta }),
    mimeType,
    subscribable: definition.subscribable ?? false,
    cache: definition.cache,
    template,
    complete,
    read: (variables, call) => definition.read(variables as never, call), // They are the template's own.
  }
}
