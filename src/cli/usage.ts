import type { ReadyServer } from '../servers/ready-server.ts'
import { settingsOf } from './settings.ts'

export function usage(server: ReadyServer): string {
  const lines = Object.entries(settingsOf(server)).map(([name, setting]) => {
    const { placeholder = '', description, environment, fallback } = setting
    const notes = [environment, fallback === undefined ? undefined : `default ${fallback}`].filter(Boolean)
    const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`
    return `  ${`--${name} ${placeholder}`.padEnd(28)}${description}${note}`
  })
  const title = `${server.name}: ${server.summary}`
  const call = `Usage: ${server.name} [options]      (on ${server.transport} unless told otherwise)`
  return [title, '', call, '', ...lines].join('\n')
}
