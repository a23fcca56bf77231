import type { ReadyServer } from '../../servers/ready-server.ts'
import { serveStdio } from '../../transports/stdio/index.ts'
import { readConfig } from '../config.ts'

/** Runs a ready server on stdin and stdout. */
export function serve(server: ReadyServer, args: readonly string[]): void {
  const config = readConfig(server, args)
  if (config.help) return console.log(usage(server))
  const running = server.create({
    settings: config.settings,
    writeLog: (line) => process.stderr.write(line),
  })
  if (config.version) return console.log(running.info.version)
  if (process.stdin.isTTY) greet(server)
  serveStdio(running)
}

function usage({ name, summary, settings }: ReadyServer): string {
  const lines = Object.entries(settings).map(
    ([setting, { placeholder, description, environment, fallback }]) => {
      return `  --${setting} ${placeholder}  ${description} (${environment}; default ${fallback})`
    },
  )
  return [
    `${name}: ${summary}`,
    '',
    `Usage: ${name} [options]`,
    '',
    ...lines,
    '  --help      this text',
    '  --version   its version',
  ].join('\n')
}

/** Somebody typed the command by hand; to them a silent server looks broken. */
function greet({ name }: ReadyServer): void {
  console.error(`${name} speaks MCP on stdin and stdout, one JSON message a line; Ctrl-D ends it.`)
  console.error(`To use it from Claude Code: claude mcp add ${name} -- npx -y -p perigee ${name}`)
}
