import {
  type Call,
  type FrontOptions,
  notFound,
  type Settings,
  type ToolDefinition,
} from '../kernel/index.ts'
import { searchesItself } from './hosts.ts'
import type { Embed } from './search/embedded.ts'

/** Catalogues of so many tokens are shown as they are: below that, a model does better with all of them in view. */
const SMALL = 8000

/** What stands before the tools of a server, by its `offer`. */
export function frontOf(offer: Exclude<Settings['offer'], 'all'>, embed: Embed | undefined): FrontOptions {
  return { tools: [searchWith(embed), CALL], upTo: offer === 'auto' ? SMALL : 0, searches: searchesItself }
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
