import { suggest, VERSION } from '../kernel/index.ts'
import { SERVERS } from '../servers/index.ts'
import type { ClientCommand } from './client/command.ts'
import { serve } from './commands/serve.ts'
import type { withConsole } from './console.ts'
import { readLine, takeWord, type WordTaken } from './flags.ts'
import { type SettingTable, settingsOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

const DEFAULT_SERVER = 'workbench'

export async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args
  if (command === undefined || command === 'help' || command === '--help' || command === '-h')
    return printUsage()
  if (command === '--version' || command === '-v') return console.log(VERSION)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (run === undefined) throw new UsageError(`there is no command ${command}. ${suggestCommand(command)}`)
  return run(rest)
}

/** Each is loaded when it is called. */
export const COMMANDS: { readonly [name: string]: (args: readonly string[]) => Promise<void> } = {
  serve: (args) => serveByName(args),
  start: async (args) => serveByName(args, (await import('./console.ts')).withConsole),
  dev: async (args) => (await import('./commands/dev.ts')).dev(args),
  console: async (args) => (await import('./commands/console.ts')).showServer(args),
  gateway: async (args) => (await import('./commands/gateway.ts')).gateway(args),
  create: async (args) => (await import('./commands/create.ts')).create(args),
  call: async (args) => talkBy((await import('./commands/call.ts')).call, args),
  tools: async (args) => talkBy((await import('./commands/tools.ts')).tools, args),
  read: async (args) => talkBy((await import('./commands/read.ts')).read, args),
  prompt: async (args) => talkBy((await import('./commands/prompt.ts')).prompt, args),
  ping: async (args) => talkBy((await import('./commands/ping.ts')).ping, args),
  watch: async (args) => talkBy((await import('./commands/watch.ts')).watch, args),
  fit: async (args) => talkBy((await import('./commands/fit.ts')).fit, args),
  lock: async (args) => talkBy((await import('./commands/lock.ts')).lock, args),
  install: async (args) => (await import('./commands/install.ts')).install(args),
  uninstall: async (args) => (await import('./commands/uninstall.ts')).uninstall(args),
  record: async (args) => (await import('./commands/record.ts')).record(args),
  replay: async (args) => (await import('./commands/replay.ts')).replay(args),
  mock: async (args) => (await import('./commands/mock.ts')).mock(args),
  pack: async (args) => (await import('./commands/pack.ts')).pack(args),
  bench: async (args) => (await import('./commands/bench.ts')).bench(args),
}

/** Those that ask something of a server have much in common. */
async function talkBy(command: ClientCommand, args: readonly string[]): Promise<void> {
  const { talk } = await import('./client/talk.ts')
  return talk(command, args)
}

function suggestCommand(name: string): string {
  const known = [...Object.keys(COMMANDS), '--help', '--version']
  const nearest = suggest(name, known)
  return known.includes(nearest) ? `Did you mean ${nearest}?` : nearest
}

async function printUsage(): Promise<void> {
  const servers = await Promise.all(Object.values(SERVERS).map((load) => load()))
  const lines = servers.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`)
  console.log(`perigee ${VERSION}: MCP servers in TypeScript

Usage: perigee serve [server] [options]   run a ready server, ${DEFAULT_SERVER} unless another is named
       perigee serve ./server.ts          run your own: a file that ends in export default defineServer({ … })
       perigee dev ./server.ts            the same while you work on it: what you save is what the next call runs
       perigee serve ccmcp --help         the options of a server
       perigee start [server] [options]   the same as serve, with a console in the browser where there can be one
       perigee console URL                show any server in the browser, or: perigee console -- <command>
       perigee gateway                    all servers of ./.mcp.json behind one; also --from FILE, a URL, or -- <command>
       perigee gateway status             how they are; also login NAME, logout NAME, approve NAME
       perigee create NAME                make a project with a server of your own, and a test (perigee create --help)
       perigee call add a=2 b=40 -- <command>   call a tool of any server; also tools, read, prompt, ping, watch
       perigee fit ./server.ts            what hosts would refuse or lose of its tools
       perigee lock ./server.ts           write down what it promises to callers; --check tells what breaks them
       perigee install ccmcp              plug a server into the hosts on this machine; perigee uninstall takes it out again
       perigee record -- <command>        write down what a host and a server say; replay it, or mock the server with it
       perigee pack [FILE]                make of it what others find and install: server.json and an .mcpb bundle
       perigee bench -- <command>         put a server under load, yours or another (perigee bench --help)
       perigee --version                  the version

Servers:
${lines.join('\n')}`)
}

async function serveByName(
  args: readonly string[],
  complete: typeof withConsole = (_ready, given) => given,
): Promise<void> {
  const { word: name = DEFAULT_SERVER, rest } = await findServer(args)
  if (isFile(name)) {
    const { fileServer } = await import('./file-server.ts')
    const ready = fileServer(name)
    return serve(ready, complete(ready, rest), `perigee serve ${name}`)
  }
  const load = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (load === undefined) {
    const known = Object.keys(SERVERS)
    const nearest = suggest(name, known)
    const probably = known.includes(nearest) ? `Did you mean ${nearest}? ` : ''
    throw new UsageError(
      `there is no server ${name}. ${probably}Expected: ${known.join(', ')}, or a file: ./${name}.ts`,
    )
  }
  const ready = await load()
  const run = ready.ofFiles === true ? (await import('./commands/serve-modules.ts')).serveModules : serve
  return run(ready, complete(ready, rest), `perigee serve ${name}`)
}

/** What is to be served, which may be named after options as well; which of them take a value is a matter of all servers. */
async function findServer(args: readonly string[]): Promise<WordTaken> {
  const [first = '', ...rest] = args
  if (!first.startsWith('-')) return { word: first || undefined, rest }
  const byDefault = await SERVERS[DEFAULT_SERVER]?.()
  const isByDefault = byDefault !== undefined && takeWord(settingsOf(byDefault), args).word === undefined
  if (isByDefault) return { word: undefined, rest: args }
  const servers = await Promise.all(Object.values(SERVERS).map((load) => load()))
  const known: SettingTable = Object.assign({}, ...servers.map(settingsOf))
  readLine(known, args) // An option that is mistyped is told before a word that may be its value.
  return takeWord(known, args)
}

/** Whether an argument names a file rather than a ready server. */
function isFile(argument: string): boolean {
  return /[\\/]|^\.\.?$|\.[cm]?[jt]sx?$/.test(argument)
}
