import type { ReadyServer } from '../servers/ready-server.ts'
import { knownSettings } from './config.ts'
import { SWITCHES } from './settings.ts'

export function usage(server: ReadyServer): string {
  const settings = Object.entries(knownSettings(server)).map(([name, setting]) => {
    const { placeholder, description, environment, fallback } = setting
    const notes = [environment, fallback === undefined ? undefined : `default ${fallback}`].filter(Boolean)
    return line(`--${name} ${placeholder}`, `${description} (${notes.join('; ')})`)
  })
  const switches = Object.entries(SWITCHES).map(([name, description]) => line(`--${name}`, description))
  return [
    `${server.name}: ${server.summary}`,
    '',
    `Usage: ${server.name} [options]      (served on ${server.transport} unless told otherwise)`,
    '',
    ...settings,
    line('--config FILE', 'settings as JSON, by the names above'),
    ...switches,
  ].join('\n')
}

function line(option: string, description: string): string {
  return `  ${option.padEnd(28)}${description}`
}
