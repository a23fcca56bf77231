import { suggest } from '../../kernel/index.ts'
import { CommandOutput } from '../client/output.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import { isConfirmed } from '../install/confirm.ts'
import { shortPath } from '../install/folders.ts'
import { UnreadableText } from '../install/formats/format.ts'
import { type FileHistory, type Journal, readJournal } from '../install/journal.ts'
import { isOfProject, readHosts } from '../install/places.ts'
import { printDiff } from '../install/report.ts'
import { planUndo, type Undoing, undo } from '../install/undo.ts'
import { printSettings } from '../usage.ts'
import { UsageError } from '../usage-error.ts'

const SETTINGS = {
  to: {
    placeholder: 'ID,…',
    description: 'from these hosts; from all that it was installed into, unless said',
  },
  project: { kind: 'switch', description: 'from the files of the project in this folder alone' },
  print: { kind: 'switch', description: 'shows what would become of the files, and changes nothing' },
  yes: { kind: 'switch', description: 'asks nothing' },
  json: { kind: 'switch', description: 'prints what came of it as JSON' },
  help: { kind: 'switch', description: 'this text' },
} as const

const USAGE = `perigee uninstall: takes a server out of the hosts that perigee install has put it into

Usage: perigee uninstall NAME [options]

${printSettings('Options', SETTINGS)}

A file that nobody has changed since is put back byte for byte; out of another, the entry alone is taken.
It ends with 0; 1 if a file was left alone; 2 for something typed that cannot be.

Example: perigee uninstall ccmcp`

/** Takes a server out of hosts again. */
export async function uninstall(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(USAGE)
  const output = new CommandOutput(flags['json'] === true, () => {})
  const [name, ...more] = words
  const journal = readJournal()
  if (name === undefined || more.length > 0)
    throw new UsageError(`expected one name, got ${words.length}. ${known(journal)}`)
  const files = filesWith(name, journal, flags)
  const plans = await Promise.all(files.map(([real, history]) => tryPlan(real, history, name)))
  if (!output.json) for (const plan of plans) output.say(describeUndoing(plan))
  const ready = plans.filter((plan): plan is Undoing => 'taken' in plan)
  const isOnlyShown = flags['print'] === true
  if (!isOnlyShown && flags['yes'] !== true && ready.length > 0 && !(await isConfirmed(`Take ${name} out?`)))
    throw new CommandError(EXIT_CODES.failed.code, 'nothing was changed')
  const results: (Undoing | NotUndone)[] = []
  for (const plan of plans) results.push(isOnlyShown ? plan : await carryOut(plan))
  if (output.json) output.sayJson(results.map(tell))
  else if (!isOnlyShown) for (const result of results) output.say(outcomeOf(result))
  const left = results.filter((result) => 'reason' in result).length
  if (left > 0)
    throw new CommandError(
      EXIT_CODES.failed.code,
      `${left === 1 ? 'one file was' : `${left} files were`} left alone`,
    )
}

function filesWith(name: string, journal: Journal, flags: { readonly [name: string]: unknown }) {
  const hosts = readHosts(flags['to'])?.map(({ id }) => id)
  const found = Object.entries(journal).filter(([, { records }]) =>
    records.some(
      (record) =>
        record.name === name &&
        (hosts === undefined || record.hosts.some((id) => hosts.includes(id))) &&
        (flags['project'] !== true || isOfProject(record.file)),
    ),
  )
  if (found.length > 0) return found
  throw new UsageError(
    `${name} was not installed ${hosts === undefined && flags['project'] !== true ? '' : 'there '}by perigee install. ${known(journal, name)}`,
  )
}

function known(journal: Journal, name?: string): string {
  const names = [...new Set(Object.values(journal).flatMap(({ records }) => records.map((one) => one.name)))]
  if (names.length === 0) return 'Nothing is installed'
  const nearest = name === undefined ? '' : suggest(name, names)
  return names.includes(nearest) && nearest !== name
    ? `Did you mean ${nearest}?`
    : `Installed: ${names.join(', ')}`
}

interface NotUndone {
  readonly real: string
  readonly reason: string
}

async function tryPlan(real: string, history: FileHistory, name: string): Promise<Undoing | NotUndone> {
  try {
    return await planUndo(real, history, name)
  } catch (error) {
    const { message } = error as Error
    return {
      real,
      reason:
        error instanceof UnreadableText
          ? `${real}:${error.line}: ${message}: ${error.shown.trim()}`
          : message,
    }
  }
}

async function carryOut(plan: Undoing | NotUndone): Promise<Undoing | NotUndone> {
  if ('reason' in plan) return plan
  try {
    await undo(plan)
    return plan
  } catch (error) {
    return { real: plan.settings.real, reason: (error as Error).message }
  }
}

function describeUndoing(plan: Undoing | NotUndone): string {
  if ('reason' in plan) return `${shortPath(plan.real)}\n  left alone: ${plan.reason}\n\n`
  return `${shortPath(plan.settings.real)}\n${printDiff(plan.before, plan.after ?? '')}\n\n`
}

function outcomeOf(result: Undoing | NotUndone): string {
  if ('reason' in result) return `${shortPath(result.real)} ✘ ${result.reason}`
  return `${shortPath(result.settings.real)} ✔ ${outcomeIn(result)}`
}

function outcomeIn({ exact, after, settings }: Undoing): string {
  if (settings.text === undefined) return 'it is gone already'
  if (after === undefined) return 'it was made for this, and is gone'
  return exact ? 'as it was' : 'without it; others have changed the file since'
}

function tell(plan: Undoing | NotUndone) {
  if ('reason' in plan) return { file: plan.real, status: 'left', reason: plan.reason }
  return {
    file: plan.settings.real,
    status: plan.exact ? 'restored' : 'taken out',
    removed: plan.after === undefined,
  }
}
