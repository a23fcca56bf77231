import { defineModule, defineTool, type Module } from '../../authoring/define.ts'
import { cut, type AuthorServer as Server } from '../../kernel/index.ts'
import { ToolLedger } from './ledger.ts'
import { checkWanted, printedBytes, toolFrom } from './made-tool.ts'

const SCOPES = ['templates']

/** Lets a caller make tools out of templates, for itself alone, and remove those again. */
export function templates(): Module {
  const ledgers = new WeakMap<Server, ToolLedger>()

  const ledgerOf: LedgerOf = (server) => {
    const ledger = ledgers.get(server) ?? new ToolLedger(server)
    ledgers.set(server, ledger)
    return ledger
  }

  return defineModule({ name: 'templates', tools: [register(ledgerOf), unregister(ledgerOf)] })
}

type LedgerOf = (server: Server) => ToolLedger

function register(ledgerOf: LedgerOf) {
  return defineTool({
    name: 'register_tool',
    description: 'Make a new tool from a template; each {placeholder} becomes a required string argument',
    input: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the new tool' },
        description: { type: 'string', description: 'What the new tool does' },
        template: { type: 'string', description: 'Text with {placeholders}, for example "Dear {name}"' },
      },
      required: ['name', 'description', 'template'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    scopes: SCOPES,
    run: (wanted, { server, owner }) => {
      checkWanted(wanted, server)
      const ledger = ledgerOf(server)
      const tool = toolFrom(wanted, SCOPES)
      const bytes = printedBytes(tool, wanted)
      ledger.checkRoom(owner, bytes)
      server.tools.add(tool, owner)
      ledger.enter(owner, wanted.name, bytes)
      return `Registered tool: ${wanted.name}`
    },
  })
}

function unregister(ledgerOf: LedgerOf) {
  return defineTool({
    name: 'unregister_tool',
    description: 'Remove a tool that was made with register_tool',
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the tool to remove' } },
      required: ['name'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    scopes: SCOPES,
    run: ({ name }, { server, owner }) => {
      const ledger = ledgerOf(server)
      if (!ledger.has(owner, name)) throw new Error(whyNot(name, server.tools.has(name)))
      ledger.strike(owner, name)
      server.tools.remove(name, owner)
      return `Unregistered tool: ${name}`
    },
  })
}

function whyNot(name: string, builtIn: boolean): string {
  return builtIn
    ? `${name} is built in and cannot be unregistered`
    : `There is no tool ${cut(name)} to unregister`
}
