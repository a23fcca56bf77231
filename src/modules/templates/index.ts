import { defineModule, defineTool, type Module } from '../../authoring/define.ts'
import { type KeptOffers, keepOffers } from '../../authoring/kept/index.ts'
import { cut, type Server as KernelServer, type AuthorServer as Server } from '../../kernel/index.ts'
import { ToolLedger } from './ledger.ts'
import { checkWanted, printedBytes, toolFrom, type WantedTool } from './made-tool.ts'
import { ToolFile } from './tool-file.ts'

const SCOPES = ['templates']

/**
 * Lets a caller make tools out of templates, for itself alone, and remove those again: on every node that shares the store.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [templates({ file: 'tools.json' })] })
 */
export function templates({ ttlMs, file: path }: TemplatesOptions = {}): Module {
  const ledgers = new WeakMap<Server['usage'], ToolLedger>()
  const ledgerOf = (server: Server) => {
    const ledger = ledgers.get(server.usage) ?? new ToolLedger(server)
    ledgers.set(server.usage, ledger)
    return ledger
  }
  const define = (wanted: WantedTool) => toolFrom(wanted, SCOPES)
  const sizeOf = (wanted: WantedTool) => printedBytes(define(wanted), wanted)
  const made = keepOffers({
    name: 'templates',
    list: 'tools',
    define,
    ...(ttlMs !== undefined && { ttlMs }),
    admit: (server, owner, wanted: WantedTool) => ledgerOf(server).checkRoom(owner, sizeOf(wanted)),
    added: (server, owner, wanted) => ledgerOf(server).enter(owner, wanted.name, sizeOf(wanted)),
    removed: (server, owner, { name }) => ledgerOf(server).strike(owner, name),
  })
  const checkFiled: CheckFiled = (server, own, wanted) =>
    ledgerOf(server).checkOwn(own.map(sizeOf), sizeOf(wanted))
  const file = path === undefined ? undefined : new ToolFile(path)
  return defineModule({
    name: 'templates',
    ...made.module,
    ...(file !== undefined && { open: (server) => takeFrom(file, made, server) }),
    tools: [register(made, file, checkFiled), unregister(made, file)],
  })
}

/** Throws where what a caller has in the file, which several servers may share, leaves no room for one more. */
type CheckFiled = (server: Server, own: readonly WantedTool[], wanted: WantedTool) => void

/** Offers what the file has, each to its owner; what cannot be offered here is told of, and stays in the file. */
async function takeFrom(file: ToolFile, made: KeptOffers<WantedTool>, server: Server): Promise<void> {
  for (const { owner = '', name, description, template } of await file.read()) {
    const wanted = { name, description, template }
    await made.remove(server, owner, name) // A server that is served again has it already.
    try {
      checkWanted(wanted, server)
      await made.add(server, owner, wanted)
    } catch (error) {
      const message = `templates: ${cut(name)} cannot be offered here: ${(error as Error).message}`
      ;(server as KernelServer).observe({ kind: 'noted', level: 'warning', message }) // The same object, as the kernel knows it.
    }
  }
}

/** How long what callers make stays. */
export interface TemplatesOptions {
  /** How long a tool stays whose owner calls nothing, where the store outlives the process; a day, unless said. */
  readonly ttlMs?: number
  /** A file of JSON in which they are kept: what it has is offered from the start on. */
  readonly file?: string
}

function register(made: KeptOffers<WantedTool>, file: ToolFile | undefined, checkFiled: CheckFiled) {
  return defineTool({
    name: 'register_tool',
    description:
      'Make a new tool from a template; each {placeholder} becomes a required string argument, {placeholder=text} one that is text unless given',
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
    run: ({ name, description, template }, { server, owner }) => {
      const wanted = { name, description, template }
      checkWanted(wanted, server)
      const said = `Registered tool: ${name}`
      const added = made.add(server, owner, wanted)
      if (file !== undefined)
        return keep(added, wanted, { made, file, server, owner, checkFiled }).then(() => said)
      return added?.then(() => said) ?? said
    },
  })
}

function unregister(made: KeptOffers<WantedTool>, file: ToolFile | undefined) {
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
      const tell = (removed: boolean) => {
        if (!removed) throw new Error(whyNot(name, server.tools.has(name)))
        return `Unregistered tool: ${name}`
      }
      const removed = made.remove(server, owner, name)
      if (file !== undefined) return forget(removed, name, { file, owner }).then(tell)
      return removed instanceof Promise ? removed.then(tell) : tell(removed)
    },
  })
}

interface Keeping {
  readonly made: KeptOffers<WantedTool>
  readonly file: ToolFile
  readonly server: Server
  readonly owner: string
  readonly checkFiled: CheckFiled
}

/** What cannot be kept is not offered either. */
async function keep(added: Promise<void> | undefined, wanted: WantedTool, keeping: Keeping): Promise<void> {
  const { made, file, server, owner, checkFiled } = keeping
  await added
  try {
    await file.add(owner, wanted, (own) => checkFiled(server, own, wanted))
  } catch (error) {
    await made.remove(server, owner, wanted.name)
    throw error
  }
}

async function forget(
  removing: boolean | Promise<boolean>,
  name: string,
  { file, owner }: Pick<Keeping, 'file' | 'owner'>,
): Promise<boolean> {
  const removed = await removing
  if (removed) await file.remove(owner, name)
  return removed
}

function whyNot(name: string, builtIn: boolean): string {
  return builtIn
    ? `${name} is built in and cannot be unregistered`
    : `There is no tool ${cut(name)} to unregister`
}
