import type { ToolDefinition } from '../kernel/index.ts'

/** What the tools that stand before the others say of themselves. */
type FrontTool = Omit<ToolDefinition, 'run'>

export const SEARCH_TOOL: FrontTool = {
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

export const CALL_TOOL: FrontTool = {
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
}

export const RUN_TOOL: FrontTool = {
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
}
