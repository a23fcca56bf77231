import { callable, flag, type Members, number, object, text } from '../check/members.ts'
import type { Call } from '../definitions/authors.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Completer } from '../definitions/prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../definitions/resource.ts'
import { Mistake } from '../words/mistake.ts'
import { checkCompleted, checkDefinition, type Grammar, present, READABLE } from './definition.ts'
import type { Offer } from './shelf.ts'
import { parseUriTemplate, type UriTemplate } from './uri-template.ts'

/** What both kinds of resource have in common once a URI is known to be theirs. */
interface Readable extends Offer {
  readonly mimeType: string | undefined
  readonly subscribable: boolean | undefined
  readonly cache: CacheHint | undefined
  /** Whether another server answers, whose results are told as they are. */
  readonly relayed: boolean
  /** Asks that server whether it tells of changes. */
  readonly confirm: Confirm | undefined
}

export type Confirm = (uri: string, call: Call) => Promise<boolean>

export interface OfferedResource extends Readable {
  readonly modified: (() => Date) | undefined
  read(call: Call): unknown
}

export interface OfferedTemplate extends Readable {
  readonly template: UriTemplate
  readonly complete: { readonly [variable: string]: Completer }
  /** Has another server answer a whole request for suggestions. */
  readonly suggest: ((call: Call) => unknown) | undefined
  read(variables: { readonly [variable: string]: string }, call: Call): unknown
}

const MEANT = {
  handler: 'read',
  load: 'read',
  run: 'read',
  callback: 'read',
  text: 'read',
  contents: 'read',
  mimetype: 'mimeType',
  subscribe: 'subscribable',
  list: 'What there is is told by resources; a template says what there may be.',
}

const RESOURCE_MEMBERS: Members<ResourceDefinition> = {
  ...READABLE,
  uri: text,
  size: number,
  modified: callable,
  subscribable: flag,
  read: callable,
}

const RESOURCE: Grammar = {
  noun: 'resource',
  key: 'uri',
  action: 'read',
  members: RESOURCE_MEMBERS,
  needed: ['name'],
  meant: { ...MEANT, uriTemplate: 'A template is one of templates: defineResourceTemplate({ … }).' },
}

const TEMPLATE_MEMBERS: Members<ResourceTemplateDefinition> = {
  ...READABLE,
  uriTemplate: text,
  complete: object,
  subscribable: flag,
  read: callable,
}

const TEMPLATE: Grammar = {
  noun: 'resource template',
  key: 'uriTemplate',
  action: 'read',
  members: TEMPLATE_MEMBERS,
  needed: ['name'],
  meant: { ...MEANT, uri: 'uriTemplate', template: 'uriTemplate' },
}

export function prepareResource(definition: ResourceDefinition): OfferedResource {
  const uri = checkDefinition(definition, RESOURCE)
  if (!URL.canParse(uri)) throw new Mistake(`Resource ${uri}: its uri must be an absolute URI`)
  const { name, title, description, mimeType, size, annotations, icons, _meta } = definition
  return {
    key: uri,
    scopes: definition.scopes ?? [],
    listed: present({ uri, name, title, description, mimeType, size, annotations, icons, _meta }),
    mimeType,
    modified: definition.modified,
    subscribable: definition.subscribable,
    cache: definition.cache,
    relayed: false,
    confirm: undefined,
    read: (call) => definition.read(call),
  }
}

export function prepareTemplate(definition: ResourceTemplateDefinition): OfferedTemplate {
  const uriTemplate = checkDefinition(definition, TEMPLATE)
  const template = parseUriTemplate(uriTemplate)
  const { name, title, description, mimeType, annotations, icons, _meta, complete = {} } = definition
  checkCompleted(`Resource template ${uriTemplate}`, complete, template.variables)
  return {
    key: uriTemplate,
    scopes: definition.scopes ?? [],
    listed: present({ uriTemplate, name, title, description, mimeType, annotations, icons, _meta }),
    mimeType,
    subscribable: definition.subscribable,
    cache: definition.cache,
    relayed: false,
    confirm: undefined,
    template,
    complete,
    suggest: undefined,
    read: (variables, call) => definition.read(variables as never, call), // They are the template's own.
  }
}
