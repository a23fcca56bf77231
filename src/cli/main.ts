import { SERVERS } from '../servers/index.ts'
import { serve } from './commands/serve.ts'
import type { withConsole } from './console.ts'
import { UsageError } from './usage-error.ts'
import { readVersion } from './version.ts'

const DEFAULT_SERVER = 'workbench'

export async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args
  if (command === undefined || command === 'help' || command === '--help' || command === '-h')
    return printUsage()
  if (command === '--version' || command === '-v') return console.log(readVersion())
  if (command === 'serve') return serveByName(rest)
  if (command === 'start') return serveByName(rest, (await import('./console.ts')).withConsole)
  if (command === 'console') return (await import('./commands/console.ts')).showServer(rest)
  if (command === 'create') return (await import('./commands/create.ts')).create(rest)
  if (command === 'bench') return (await import('./commands/bench.ts')).bench(rest)
  throw new UsageError(
    `there is no command ${command}. Expected: serve, start, console, create, bench, --help, --version`,
  )
}

async function printUsage(): Promise<void> {
  const servers = await Promise.all(Object.values(SERVERS).map((load) => load()))
  const lines = servers.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`)
  console.log(`perigee ${readVersion()}: MCP servers in TypeScript

Usage: perigee serve [server] [options]   run a ready server, ${DEFAULT_SERVER} unless another is named
       perigee serve ./server.ts          run your own: a file that ends in export default defineServer({ … })
       perigee serve ccmcp --help         the options of a server
       perigee start [server] [options]   the same as serve, with a console in the browser where there can be one
       perigee console URL                show any server in the browser, or: perigee console -- <command>
       perigee create NAME                make a project with a server of your own, and a test (perigee create --help)
       perigee bench -- <command>         put a server under load, yours or another (perigee bench --help)
       perigee --version                  the version

Servers:
${lines.join('\n')}`)
}

async function serveByName(
  args: readonly string[],
  complete: typeof withConsole = (_ready, given) => given,
): Promise<void> {
  const [first = ''] = args
  const named = first !== '' && !first.startsWith('-')
  if (named && isFile(first)) {
    const { fileServer } = await import('./file-server.ts')
    const ready = fileServer(first)
    return serve(ready, complete(ready, args.slice(1)), `perigee serve ${first}`)
  }
  const name = named ? first : DEFAULT_SERVER
  const load = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (load === undefined) {
    throw new UsageError(
      `there is no server ${name}. Expected: ${Object.keys(SERVERS).join(', ')}, or a file: ./${name}.ts`,
    )
  }
  const ready = await load()
  return serve(ready, complete(ready, named ? args.slice(1) : args), `perigee serve ${name}`)
}

/** Whether an argument names a file rather than a ready server. */
function isFile(argument: string): boolean {
  return /[\\/]|\.[cm]?[jt]sx?$/.test(argument)
}
