import {
  type Call,
  type FrontOptions,
  notFound,
  type OpenSandbox,
  type Settings,
  type ToolDefinition,
} from '../kernel/index.ts'
import { Scripts } from './code/scripts.ts'
import { searchesItself } from './hosts.ts'
import type { Embed } from './search/embedded.ts'

/** Catalogues of so many tokens are shown as they are: below that, a model does better with all of them in view. */
const SMALL = 8000

/** What stands before the tools of a server, by its `offer`; scripts are run where there is something to run them. */
export function frontOf(
  offer: Exclude<Settings['offer'], 'all'>,
  { embed, scripts }: { readonly embed?: Embed | undefined; readonly scripts?: Scripts | undefined },
): FrontOptions {
  const tools = [searchWith(embed), scripts === undefined ? CALL : runTool(scripts)]
  return { tools, upTo: offer === 'auto' ? SMALL : 0, searches: searchesItself }
}

export function scriptsOf(open: OpenSandbox | undefined): Scripts {
  return new Scripts(open)
}

function searchWith(embed: Embed | undefined): ToolDefinition {
  return {
    ...SEARCH,
    /** What it takes to search is loaded by the first search. */
    async run(args: never, call) {
      const { search } = await import('./search/search-tool.ts')
      return search(args, call as Call, embed) // The kernel's own face.
    },
  }
}

const SEARCH: Omit<ToolDefinition, 'run'> = {
  name: 'search',
  title: 'Search tools',
  description:
    'Finds tools by what they do. This server has more tools than are listed: say what is to be done, in a few words, and get the best matches, best first, as TypeScript signatures.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        description: 'What is to be done, such as: list the open issues of a repository',
      },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many matches; 5 unless said' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      tools: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            signature: { type: 'string' },
            description: { type: 'string' },
          },
          required: ['name', 'signature', 'description'],
        },
      },
    },
    required: ['tools'],
  },
}

const CALL: ToolDefinition = {
  name: 'call',
  title: 'Call a tool',
  description:
    'Calls a tool that search has found, with arguments as its signature says, and gives its result.',
  input: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the tool' },
      arguments: { type: 'object', description: 'Its arguments' },
    },
    required: ['name'],
    additionalProperties: false,
  },
  /** The server has the tool called instead; only what is not there for the caller comes here. */
  run({ name }: never, call) {
    const { server, principal } = call as Call // The kernel's own face.
    throw new Error(notFound(name, { server, principal }))
  },
}

function runTool(scripts: Scripts): ToolDefinition {
  return {
    name: 'run',
    title: 'Run a script',
    description:
      'Runs JavaScript that calls tools, and gives what it returns. The code is the body of an async function: `await tools.name(args)` calls a tool that search has found and gives what its signature says, or throws; Promise.all calls several at once. There is no network, no file and no timer. Return no more than is needed: what is not returned costs nothing.',
    task: 'optional',
    input: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          description:
            "Such as: const issues = await tools.list_issues({ state: 'open' }); return issues.map((one) => one.title)",
        },
      },
      required: ['code'],
      additionalProperties: false,
    },
    /** What it takes to run scripts is loaded by the first one. */
    async run({ code }: never, call) {
      const { runScript } = await import('./code/run-tool.ts')
      return runScript(code, call as Call, scripts) // The kernel's own face.
    },
  }
}
