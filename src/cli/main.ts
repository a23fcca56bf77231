import { SERVERS } from '../servers/index.ts'
import { serve } from './commands/serve.ts'
import { UsageError } from './config.ts'
import { VERSION } from './version.ts'

const USAGE = `perigee ${VERSION}: MCP servers in TypeScript

Usage: perigee serve [server] [options]   run a ready server (perigee serve ccmcp --help: its options)
       perigee --version                  print the version

Servers:
${SERVERS.map(({ name, summary }) => `  ${name}  ${summary}`).join('\n')}`

export function main(args: readonly string[]): void {
  const [command, ...rest] = args
  if (command === undefined || command === 'help' || command === '--help' || command === '-h')
    return console.log(USAGE)
  if (command === '--version' || command === '-v') return console.log(VERSION)
  if (command === 'serve') return serveByName(rest)
  throw new UsageError(`there is no command ${command}. Expected: serve, --help, --version`)
}

function serveByName(args: readonly string[]): void {
  const [first = ''] = args
  const named = first !== '' && !first.startsWith('-')
  const name = named ? first : 'ccmcp'
  const server = SERVERS.find((one) => one.name === name)
  if (server === undefined) {
    throw new UsageError(`there is no server ${name}. Expected: ${SERVERS.map((one) => one.name).join(', ')}`)
  }
  serve(server, named ? args.slice(1) : args)
}
