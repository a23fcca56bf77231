import { claudeLine, headerFlags, quoteWord } from '../../process/claude-line.ts'
import { fitToHost } from './fit-host.ts'
import { bash } from './formats/bash.ts'
import { type HostFile, INSTALL_HOSTS, type InstallHost } from './hosts.ts'
import { eachVariable, type Installable } from './installable.ts'

/** Those whose lines fit on a screen. */
const SHOWN = ['claude-code', 'vscode', 'cursor', 'crush']

/** What somebody who plugs a server in by hand types or writes, host by host. */
export function handLines(server: Installable): readonly string[] {
  const hosts = INSTALL_HOSTS.filter(({ id }) => SHOWN.includes(id))
  return [
    `${'any host'.padEnd(14)}${installLine(server)}`,
    ...SHOWN.map((id) => hosts.find((host) => host.id === id))
      .filter((host) => host !== undefined)
      .map((host) => `${host.name.padEnd(14)}${handLine(host, server)}`),
  ]
}

/** The line for one host: its own command, or its file and what stands in it. */
export function handLine(host: InstallHost, server: Installable): string {
  const own = COMMANDS[host.id]
  if (own !== undefined) return own(server)
  const [file] = host.project ?? []
  return file === undefined ? installLine(server) : `${file.path}: ${entryLine(host, file, server)}`
}

function entryLine(host: InstallHost, file: HostFile, server: Installable): string {
  const fitted = fitToHost(host, file.shape, server)
  if ('refused' in fitted) return fitted.refused
  const path = [...file.under, server.name]
  if (file.format === 'bash') return bash.put('', path, fitted.value).trimEnd()
  return JSON.stringify(path.reduceRight<object>((inner, name) => ({ [name]: inner }), fitted.value))
}

/** Hosts whose commands add servers. */
const COMMANDS: { readonly [id: string]: (server: Installable) => string } = {
  'claude-code': claudeLine,
  vscode(server) {
    const { name, ...entry } = server
    const written = 'url' in server ? entryOf(entry, { type: 'http' }) : entryOf(entry, {})
    return `code --add-mcp ${quoteWord(JSON.stringify({ name, ...written }))}`
  },
}

function entryOf(entry: object, more: object): object {
  const said = Object.entries(entry).filter(
    ([, one]) => typeof one === 'string' || Object.keys(one as object).length > 0,
  )
  const text = JSON.stringify({ ...more, ...Object.fromEntries(said) })
  return JSON.parse(eachVariable(text, (name) => `\${env:${name}}`))
}

function installLine(server: Installable): string {
  if (!('url' in server))
    return [
      'perigee install --name',
      server.name,
      '--',
      ...[server.command, ...server.args].map(quoteWord),
    ].join(' ')
  return ['perigee install', server.url, '--name', server.name, ...headerFlags(server.headers)].join(' ')
}
