import type {
  AuthorCall as Call,
  Extension,
  Json,
  AuthorMiddleware as Middleware,
  Needs,
  AuthorObserver as Observer,
  PromptArgument,
  PromptDefinition,
  PromptDescription,
  PromptOutput,
  ResourceDefinition,
  ResourceOutput,
  ResourceTemplateDefinition,
  AuthorServer as Server,
  TemplateDescription,
  ToolDefinition,
  ToolDescription,
  ToolResult,
} from '../kernel/index.ts'
import type { Accepted, Infer } from './infer.ts'

/** Now or later. */
export type Awaitable<Value> = Value | Promise<Value>

/** Text, data, a whole result, or a question to the client. */
export type ToolOutput = string | Json | object | ToolResult | Needs | undefined

/** A whole result with the value that a tool's output schema describes. */
export interface StructuredResult<Value> extends Omit<ToolResult, 'structuredContent'> {
  readonly structuredContent: Value
}

/** A whole result of a tool that could not do what it was asked; it need not fit any schema. */
export interface FailedResult extends ToolResult {
  readonly isError: true
}

/** What a tool with an output schema gives: a value that fits it, a whole result, or a question to the client. */
export type Structured<Value> = Value | StructuredResult<Value> | FailedResult | Needs

/** What a tool's function gives. */
type Returned<Output> = Output extends undefined ? ToolOutput | Literals : Structured<Accepted<Output>>

/** Has the compiler keep `'full'` as such while it does not know the output schema yet, instead of taking it for any string. */
interface Literals {
  readonly [name: string]: '' | 0 | true | readonly Literals[] | Literals
}

/** A tool whose function knows what it is given and what it has to give from the schemas. */
export interface TypedTool<Input, Output> extends ToolDescription {
  readonly input?: Input
  readonly output?: Output
  /**
   * Asks the client before anything is done, and before a task is made of the call: `(args, call) => call.ask(QUESTIONS)`.
   * It may wait for what it needs to know, and is called again with the answers; then `run` finds them by `call.ask`.
   */
  readonly ask?: ((args: NoInfer<Infer<Input>>, call: Call) => unknown) | undefined
  readonly run: NoInfer<(args: Infer<Input>, call: Call) => Awaitable<Returned<Output>>>
}

/**
 * A tool: its name, what it is for, a schema for its arguments and the function that does it. `input` types the
 * arguments, and `output` what the function gives.
 * @example
 * const hello = defineTool({
 *   name: 'hello',
 *   description: 'Say hello to someone',
 *   input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
 *   run: ({ name }) => `Hello, ${name}!`,
 * })
 */
export function defineTool<const Input = undefined, const Output = undefined>(
  tool: TypedTool<Input, Output>,
): ToolDefinition<Infer<Input>> {
  return tool
}

/** What a resource gives: text, bytes, contents, data, nothing, or a question to the client. */
export type ReadOutput = ResourceOutput | object | Needs | undefined

/** A resource, and what its function may give. */
export interface TypedResource extends Omit<ResourceDefinition, 'read'> {
  read(call: Call): Awaitable<ReadOutput>
}

/**
 * Something to be read at a fixed URI.
 * @example const motto = defineResource({ uri: 'about://motto', name: 'motto', read: () => 'Near is good' })
 */
export function defineResource(resource: TypedResource): ResourceDefinition {
  return resource
}

/** The variables of a template: `task://{id}` has `id`. Those of a query or a list may be missing. */
export type Variables<Template extends string> = Template extends `${string}{${infer Names}}${infer Rest}`
  ? VariablesNamed<Names> & Variables<Rest>
  : unknown

type VariablesNamed<Names extends string> = Names extends
  | `${'?' | '&' | ';' | '#' | '.' | '/' | '+'}${string}`
  | `${string},${string}`
  ? { readonly [name: string]: string | undefined }
  : { readonly [Name in Names extends `${infer Bare}${'*' | `:${number}`}` ? Bare : Names]: string }

/** A template whose function knows its variables. */
export interface TypedTemplate<Template extends string> extends TemplateDescription {
  /** RFC 6570. */
  readonly uriTemplate: Template
  read(variables: Variables<Template>, call: Call): Awaitable<ReadOutput>
}

/**
 * Things to be read at URIs that follow a template (RFC 6570); its variables are the arguments of `read`.
 * @example
 * const user = defineResourceTemplate({
 *   uriTemplate: 'user://{id}',
 *   name: 'user',
 *   read: ({ id }) => `The user ${id}`,
 * })
 */
export function defineResourceTemplate<const Template extends string>(
  template: TypedTemplate<Template>,
): ResourceTemplateDefinition<Variables<Template>> {
  return template
}

/** Required arguments are strings, the others may be missing. */
export type Arguments<List extends readonly PromptArgument[]> = {
  readonly [One in List[number] as One extends { readonly required: true } ? One['name'] : never]: string
} & {
  readonly [One in List[number] as One extends { readonly required: true } ? never : One['name']]?: string
}

/** A list whose entries have no other members than those of an argument, which inference alone would let through. */
export type Known<List extends readonly PromptArgument[]> = {
  readonly [At in keyof List]: { readonly [Other in Exclude<keyof List[At], keyof PromptArgument>]?: never }
}

/** A prompt whose function knows its arguments. */
export interface TypedPrompt<List extends readonly PromptArgument[]> extends PromptDescription {
  readonly arguments?: List & Known<List>
  render(args: Arguments<List>, call: Call): Awaitable<PromptOutput | Needs>
}

/**
 * A prompt: its arguments, which are strings, and the function that makes messages of them.
 * @example
 * const review = definePrompt({
 *   name: 'review',
 *   arguments: [{ name: 'code', required: true }],
 *   render: ({ code }) => `Please review this: ${code}`,
 * })
 */
export function definePrompt<const List extends readonly PromptArgument[] = readonly []>(
  prompt: TypedPrompt<List>,
): PromptDefinition<Arguments<List>> {
  return prompt
}

/** Things that belong together: what a server offers, and what wraps its calls. */
export interface Module {
  readonly name: string
  /** What its tools are about, in a sentence or two: a search among tools looks at it as well. */
  readonly description?: string
  readonly tools?: readonly ToolDefinition[]
  readonly resources?: readonly ResourceDefinition[]
  readonly templates?: readonly ResourceTemplateDefinition[]
  readonly prompts?: readonly PromptDefinition[]
  readonly extensions?: readonly Extension[]
  readonly middleware?: readonly Middleware[]
  /**
   * Which calls its `middleware` wraps: its `'own'` ones, unless said, which are those of its tools, prompts, resources,
   * templates and extensions; all calls of the `'server'`; or all of them `'outermost'`, outside every other
   * middleware, for whoever watches.
   */
  readonly wraps?: 'own' | 'server' | 'outermost'
  /** Stands before the names of its tools and prompts; see `mount`. */
  readonly prefix?: string
  readonly observe?: Observer
  /** Says that `observe` lets people know what goes wrong: otherwise it is written to stderr. */
  readonly reports?: boolean
  /**
   * Called before a server with this module serves its first client, which waits for it; what it throws stops the
   * start. A server that is served again after it was closed opens it again.
   */
  open?(server: Server): Awaitable<void>
  /** Called when all modules are open, for all of them at once; the first client waits for it, too. */
  ready?(server: Server): Awaitable<void>
  /** Called when such a server has answered its last client: the module listed last closes first. */
  close?(server: Server): Awaitable<void>
}

/**
 * Tools, resources, prompts and middleware that belong together, to be listed in a server's `modules`.
 * @example const sums = defineModule({ name: 'sums', tools: [tool] })
 */
export function defineModule(module: Module): Module {
  return module
}

/** A function that needs no options to make a module may be listed as it is; any other is left to be complained of. */
export function toModule(given: Module | (() => Module)): Module {
  const made = typeof given === 'function' && given.length === 0 ? given() : undefined
  return made ?? (given as Module)
}
