import type { ReadyServer, Setting } from '../servers/ready-server.ts'
import { groupsOf, type SettingTable } from './settings.ts'

/** What `--help` prints: what it is, how it was called, and every setting under its heading. */
export function usage(server: ReadyServer, command: string): string {
  const groups = Object.entries(groupsOf(server))
    .filter(([, settings]) => Object.keys(settings).length > 0)
    .map(([heading, settings]) => printSettings(heading, settings))
  const title = `${server.name}: ${server.summary}`
  const call =
    server.forms === undefined
      ? `Usage: ${command} [options]      (on ${server.transport} unless told otherwise)${printCommands(server, command)}`
      : printForms(server.forms, command)
  const example = `Example: ${command} ${server.transport === 'http' ? '--port 8080' : '--http --port 8080'}`
  return [title, call, ...groups, example].join('\n\n')
}

function printForms(forms: NonNullable<ReadyServer['forms']>, command: string): string {
  const width = Math.max(...Object.keys(forms).map((words) => words.length)) + 2
  const lines = Object.entries(forms).map(([words, what]) => `${command} ${words.padEnd(width)}${what}`)
  return `Usage: ${lines.join('\n       ')}`
}

function printCommands({ commands }: ReadyServer, command: string): string {
  return commands === undefined
    ? ''
    : `\n       ${command} ${commands.names.join(' | ')} …      (${commands.summary})`
}

/** Settings in columns, under a heading. */
export function printSettings(heading: string, settings: SettingTable): string {
  const rows = Object.entries(settings).map(([name, setting]) => [printFlag(name, setting), setting] as const)
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 2
  const lines = rows.map(([flag, setting]) => `  ${flag.padEnd(width)}${explain(setting)}`)
  return [`${heading}:`, ...lines].join('\n')
}

function printFlag(name: string, { placeholder }: Setting): string {
  return placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`
}

function explain({ description, environment, fallback }: Setting): string {
  const notes = [environment, fallback === undefined ? undefined : `default ${fallback}`].filter(Boolean)
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`
}
