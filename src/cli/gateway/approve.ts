import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { diffLines } from '../../contract/line-diff.ts'
import { suggest } from '../../kernel/index.ts'
import { approve, type PinBook, type PinnedTool } from '../../modules/upstream/pins/pin-book.ts'
import { changeBook, readBook } from '../../modules/upstream/pins/pin-file.ts'
import { quoted } from '../../modules/upstream/pins/pins.ts'
import { oneLine, printable } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { isTerminal, Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { CONFIGURATION } from './files.ts'
import { pinsBeside } from './pin-path.ts'

const SETTINGS: SettingTable = {
  pins: {
    placeholder: 'FILE',
    description: 'the file of pinned tools; beside the configuration, unless said',
  },
  from: { kind: 'many', placeholder: 'FILE', description: 'the configuration that the gateway reads' },
  all: { kind: 'switch', description: 'everything that has changed' },
  yes: { kind: 'switch', description: 'asks nothing' },
  help: { kind: 'switch', description: 'shows this' },
}

const HELP = `Usage: perigee gateway approve NAME… [options]

Shows what has changed of tools since they were approved, and has the new ones served.
NAME is an upstream (github), one of its tools (github/create_issue), or the name that a tool has here.

${Object.entries(SETTINGS)
  .map(
    ([name, { placeholder = '', description }]) => `  --${`${name} ${placeholder}`.padEnd(12)}${description}`,
  )
  .join('\n')}

Example: perigee gateway approve github/create_issue`

interface UnapprovedTool {
  readonly upstream: string
  readonly tool: string
  readonly pinned: PinnedTool
}

/** Shows what has changed of tools since they were approved, and approves it; a gateway that runs sees it by itself. */
export async function approveTools(args: readonly string[]): Promise<void> {
  const { flags, words } = readLine(SETTINGS, args)
  if (flags['help'] === true) return console.log(HELP)
  const path = resolve(
    String(flags['pins'] ?? pinsBeside(String((flags['from'] as string[])?.[0] ?? CONFIGURATION))),
  )
  if (!existsSync(path))
    throw new UsageError(`there is no ${path}: no gateway has pinned tools there. Name it: --pins FILE`)
  const changed = changedIn(readBook(path))
  const isNamed = flags['pins'] !== undefined || flags['from'] !== undefined
  const again = isNamed ? ` --pins ${quoted(path)}` : ''
  if (words.length === 0 && flags['all'] !== true) return list(changed, path, again)
  const chosen =
    flags['all'] === true ? changed : words.flatMap((word) => find(word, changed, readBook(path)))
  if (chosen.length === 0) return console.log('Nothing has changed since it was approved.')
  for (const one of chosen) console.log(describeChange(one))
  if (flags['yes'] !== true && !(await isConfirmed(chosen.length)))
    throw new CommandError(EXIT_CODES.failed.code, 'nothing was approved')
  const taken = await take(chosen, path)
  if (taken.length > 0) console.log(`Approved: ${taken.map(nameOf).join(', ')}`)
  const left = chosen.filter((one) => !taken.includes(one))
  if (left.length === 0) return
  const names = left.map(nameOf).join(', ')
  throw new CommandError(
    EXIT_CODES.failed.code,
    `${names}: not approved, since it is no longer what was shown here. See what it is now: perigee gateway approve${again}`,
  )
}

/** Approves what is still as it was shown: what it has become while somebody looked at it is for another look. */
async function take(chosen: readonly UnapprovedTool[], path: string): Promise<readonly UnapprovedTool[]> {
  const now = new Date().toISOString()
  let taken: readonly UnapprovedTool[] = []
  await changeBook(path, (book) => {
    taken = chosen.filter(
      ({ upstream, tool, pinned }) => book[upstream]?.[tool]?.changed?.hash === pinned.changed?.hash,
    )
    return taken.reduce((all, { upstream, tool }) => approve(all, upstream, { tool, now }), book)
  })
  return taken
}

function list(changed: readonly UnapprovedTool[], path: string, again: string): void {
  if (changed.length === 0) return console.log(`Nothing in ${path} has changed since it was approved.`)
  const lines = changed.map((one) => `  ${nameOf(one)}  (seen ${one.pinned.changed?.seen})`)
  console.log(
    `Changed since approved, and not served:\n${lines.join('\n')}\nSee and approve: perigee gateway approve NAME${again}, or --all`,
  )
}

function changedIn(book: PinBook): readonly UnapprovedTool[] {
  return Object.entries(book).flatMap(([upstream, tools]) =>
    Object.entries(tools).flatMap(([tool, pinned]) =>
      pinned.changed === undefined ? [] : [{ upstream, tool, pinned }],
    ),
  )
}

function find(word: string, changed: readonly UnapprovedTool[], book: PinBook): readonly UnapprovedTool[] {
  const found = changed.filter(({ upstream, tool }) =>
    [upstream, `${upstream}/${tool}`, `${upstream}_${tool}`, tool].includes(word),
  )
  if (found.length > 0) return found
  const known = Object.entries(book).flatMap(([upstream, tools]) => [
    upstream,
    ...Object.keys(tools).flatMap((tool) => [`${upstream}/${tool}`, `${upstream}_${tool}`, tool]),
  ])
  if (known.includes(word)) return []
  const names = [...new Set([...changed.map(nameOf), ...Object.keys(book)])]
  const nearest = suggest(word, names)
  throw new UsageError(
    `there is nothing called ${word}. ${names.includes(nearest) ? `Did you mean ${nearest}?` : nearest}`,
  )
}

function nameOf({ upstream, tool }: UnapprovedTool): string {
  return oneLine(`${upstream}/${tool}`, 200)
}

/** What is said of a tool is somebody else's, and must not move the cursor of whoever looks at it. */
function describeChange(changed: UnapprovedTool): string {
  const { contract, approved } = changed.pinned
  const lines = diffLines(print(contract), print(changed.pinned.changed?.contract ?? {}))
  return `${nameOf(changed)}, approved ${approved}, changed ${changed.pinned.changed?.seen}:\n${printable(lines.join('\n'))}\n`
}

/** Long texts stand in lines of their own, so that a change in one is seen. */
function print(contract: object): string {
  return JSON.stringify(contract, null, 2).replaceAll('\\n', '\n    ')
}

async function isConfirmed(count: number): Promise<boolean> {
  if (!isTerminal()) throw new UsageError('there is nobody to ask: approve with --yes')
  const terminal = new Terminal()
  const answer = await terminal.ask(`Serve ${count === 1 ? 'it' : `these ${count}`} as they are now? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer ?? '')
}
