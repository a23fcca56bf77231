import {
  type Call,
  type FrontOptions,
  notFound,
  type OpenSandbox,
  type Settings,
  type ToolDefinition,
} from '../kernel/index.ts'
import { Scripts } from './code/scripts.ts'
import { SHOWN_WHOLE } from './front-cost.ts'
import { CALL_TOOL, RUN_TOOL, SEARCH_TOOL } from './front-tools.ts'
import { searchesItself } from './hosts.ts'
import type { Embed } from './search/embedded.ts'

/** What stands before the tools of a server, by its `offer`; scripts are run where there is something to run them. */
export function frontOf(
  offer: Exclude<Settings['offer'], 'all'>,
  { embed, scripts }: { readonly embed?: Embed | undefined; readonly scripts?: Scripts | undefined },
): FrontOptions {
  const tools = [searchWith(embed), scripts === undefined ? CALL : runTool(scripts)]
  return { tools, upTo: offer === 'auto' ? SHOWN_WHOLE : 0, searches: searchesItself }
}

export function scriptsOf(open: OpenSandbox | undefined): Scripts {
  return new Scripts(open)
}

function searchWith(embed: Embed | undefined): ToolDefinition {
  return {
    ...SEARCH_TOOL,
    /** What it takes to search is loaded by the first search. */
    async run(args: never, call) {
      const { search } = await import('./search/search-tool.ts')
      return search(args, call as Call, embed) // The kernel's own face.
    },
  }
}

const CALL: ToolDefinition = {
  ...CALL_TOOL,
  /** The server has the tool called instead; only what is not there for the caller comes here. */
  run({ name }: never, call) {
    const { server, principal } = call as Call // The kernel's own face.
    throw new Error(notFound(name, { server, principal }))
  },
}

function runTool(scripts: Scripts): ToolDefinition {
  return {
    ...RUN_TOOL,
    /** What it takes to run scripts is loaded by the first one. */
    async run({ code }: never, call) {
      const { runScript } = await import('./code/run-tool.ts')
      return runScript(code, call as Call, scripts) // The kernel's own face.
    },
  }
}
