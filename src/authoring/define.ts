import type {
  Call,
  Extension,
  Json,
  JsonObject,
  Middleware,
  Needs,
  Observer,
  PromptArgument,
  PromptDefinition,
  PromptOutput,
  ResourceDefinition,
  ResourceOutput,
  ResourceTemplateDefinition,
  ToolDefinition,
  ToolResult,
} from '../kernel/index.ts'
import type { Infer } from './infer.ts'

type Awaitable<Value> = Value | Promise<Value>

/** Text, data, a whole result, or a question to the client. */
export type ToolOutput = string | Json | object | ToolResult | Needs | undefined

/** A tool whose function knows the types of its arguments from the schema. */
export interface TypedTool<Input> extends Omit<ToolDefinition, 'input' | 'run'> {
  readonly input?: Input
  run(args: Infer<Input>, call: Call): Awaitable<ToolOutput>
}

/** A tool: its name, what it is for, a schema for its arguments and the function that does it; the schema types the arguments. */
export function defineTool<const Input = undefined>(
  tool: TypedTool<Input>,
): TypedTool<Input> & ToolDefinition {
  return tool
}

export interface TypedResource extends Omit<ResourceDefinition, 'read'> {
  read(call: Call): Awaitable<ResourceOutput | JsonObject | Needs | undefined>
}

/** Something to be read at a fixed URI. */
export function defineResource(resource: TypedResource): ResourceDefinition {
  return resource
}

/** The variables of a template: `task://{id}` has `id`. Those of a query or a list may be missing. */
export type Variables<Template extends string> = Template extends `${string}{${infer Names}}${infer Rest}`
  ? Variable<Names> & Variables<Rest>
  : unknown

type Variable<Names extends string> = Names extends
  | `${'?' | '&' | ';' | '#' | '.' | '/' | '+'}${string}`
  | `${string},${string}`
  ? { readonly [name: string]: string | undefined }
  : { readonly [Name in Names extends `${infer Bare}${'*' | `:${number}`}` ? Bare : Names]: string }

export interface TypedTemplate<Template extends string>
  extends Omit<ResourceTemplateDefinition, 'read' | 'uriTemplate'> {
  readonly uriTemplate: Template
  read(variables: Variables<Template>, call: Call): Awaitable<ResourceOutput | JsonObject | Needs | undefined>
}

/** Things to be read at URIs that follow a template (RFC 6570); its variables are the arguments of `read`. */
export function defineResourceTemplate<const Template extends string>(
  template: TypedTemplate<Template>,
): TypedTemplate<Template> & ResourceTemplateDefinition {
  return template
}

/** Required arguments are strings, the others may be missing. */
type Arguments<List extends readonly PromptArgument[]> = {
  readonly [One in List[number] as One extends { readonly required: true } ? One['name'] : never]: string
} & {
  readonly [One in List[number] as One extends { readonly required: true } ? never : One['name']]?: string
}

/** A list whose entries have no other members than those of an argument, which inference alone would let through. */
type Known<List extends readonly PromptArgument[]> = {
  readonly [At in keyof List]: { readonly [Other in Exclude<keyof List[At], keyof PromptArgument>]?: never }
}

export interface TypedPrompt<List extends readonly PromptArgument[]>
  extends Omit<PromptDefinition, 'arguments' | 'render'> {
  readonly arguments?: List & Known<List>
  render(args: Arguments<List>, call: Call): Awaitable<PromptOutput | Needs>
}

/** A prompt: its arguments, which are strings, and the function that makes messages of them. */
export function definePrompt<const List extends readonly PromptArgument[] = readonly []>(
  prompt: TypedPrompt<List>,
): TypedPrompt<List> & PromptDefinition {
  return prompt
}

/** Things that belong together: what a server offers, and what wraps its calls. */
export interface Module {
  readonly name: string
  readonly tools?: readonly ToolDefinition[]
  readonly resources?: readonly ResourceDefinition[]
  readonly templates?: readonly ResourceTemplateDefinition[]
  readonly prompts?: readonly PromptDefinition[]
  readonly extensions?: readonly Extension[]
  readonly middleware?: readonly Middleware[]
  readonly observe?: Observer
  /** Says that `observe` lets people know what goes wrong: otherwise it is written to stderr. */
  readonly reports?: boolean
  /** Fulfilled once all it needs is there; a server may start before. */
  readonly ready?: Promise<unknown>
}

/** Tools, resources, prompts and middleware that belong together, to be listed in a server's `modules`. */
export function defineModule(module: Module): Module {
  return module
}
