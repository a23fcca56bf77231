import { suggest } from '../../kernel/index.ts'
import type { ReadyServer } from '../../servers/ready-server.ts'
import { isAboutSetting } from '../about-setting.ts'
import { CommandOutput } from '../client/output.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'
import { withDesk } from './desk.ts'
import { VERBS } from './verbs.ts'

const COMMON: SettingTable = {
  json: { kind: 'switch', description: 'prints JSON, for scripts' },
  help: { kind: 'switch', description: 'this text' },
}

/** Runs `bossman list` and its like: the list that the server keeps, at a terminal. */
export async function tasks(ready: ReadyServer, name: string, args: readonly string[]): Promise<void> {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  if (verb === undefined) throw new UsageError(`there is no command ${name}. ${suggestVerb(name)}`)
  const places: SettingTable = {
    ...ready.settings,
    store: { placeholder: 'URL', description: 'the same as --tasks' },
    config: { placeholder: 'FILE', description: 'a file of settings' },
  }
  const { flags, words } = readLine({ ...places, ...verb.settings, ...COMMON }, args)
  if (flags['help'] === true) return console.log(usageOf(ready.name, name, places))
  const { json, help: _, ...rest } = flags
  const isPlace = ([flag]: readonly [string, unknown]) => Object.hasOwn(places, flag)
  const [where, own] = [
    Object.fromEntries(Object.entries(rest).filter(isPlace)),
    Object.fromEntries(Object.entries(rest).filter((entry) => !isPlace(entry))),
  ]
  const stop = new AbortController()
  const output = new CommandOutput(json === true, () => stop.abort())
  try {
    await withDesk({ ready, flags: where, signal: stop.signal }, (desk) =>
      verb.run(desk, { flags: own, words }, output),
    )
  } catch (error) {
    if (stop.signal.aborted) return // Whoever read it has read enough.
    const isTyped = error instanceof Error && isAboutSetting(error, { ...places, ...verb.settings })
    throw isTyped ? new UsageError(error.message) : error
  }
}

function suggestVerb(name: string): string {
  const known = [...Object.keys(VERBS), '--help']
  const nearest = suggest(name, known)
  return known.includes(nearest) ? `Did you mean ${nearest}?` : nearest
}

const NO_VERB = { summary: '', words: '', example: '', settings: {} }

function usageOf(server: string, name: string, places: SettingTable): string {
  const { summary, words, example, settings } = VERBS[name] ?? NO_VERB
  return [
    `${server} ${name}: ${summary}`,
    `Usage: ${server} ${name} ${words} [options]`,
    printSettings('Options', { ...settings, ...COMMON }),
    printSettings('Where the tasks are', places),
    `Example: ${server} ${name} ${example}`,
  ].join('\n\n')
}
