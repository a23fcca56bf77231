import type { ReadyServer } from '../servers/ready-server.ts'
import type { Config } from './config.ts'
import { EXIT_CODES, exitCodeOf, StartError } from './exit-codes.ts'
import { type SettingTable, settingsOf } from './settings.ts'

/** Whether it says what is wrong with something that was typed or set: that begins with its name, wherever it is found out. */
export function isAboutSetting({ message }: Error, known: SettingTable): boolean {
  const [, name = ''] = /^([\w-]+): /.exec(message) ?? []
  return Object.hasOwn(known, name.replaceAll('_', '-'))
}

/** Why a server is not started, and what that ends with. */
export function startErrorOf(
  thrown: unknown,
  ready: ReadyServer,
  sources: Config['sources'] = {},
): StartError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const isTyped = isAboutSetting(error, settingsOf(ready))
  return new StartError(
    isTyped ? EXIT_CODES.usage.code : exitCodeOf(error),
    nameSource(error.message, sources),
  )
}

/** What was set is looked for by the name of its variable, or in its file. */
function nameSource(message: string, sources: Config['sources']): string {
  const [, name = ''] = /^([\w-]+): /.exec(message) ?? []
  const source = sources[name] ?? name
  return source === `--${name}` ? message : `${source}${message.slice(name.length)}`
}
