import type { RelayedState } from '../../kernel/index.ts'
import { explain } from '../../modules/upstream/errors.ts'
import { quoted } from '../../modules/upstream/pins/pins.ts'
import { oneLine } from '../client/printable.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { readFlags } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import { askGateways } from './ask-gateways.ts'
import type { GatewayState } from './status-door.ts'

const SETTINGS: SettingTable = {
  json: { kind: 'switch', description: 'the same for programs: a list of gateways, each with its upstreams' },
  help: { kind: 'switch', description: 'shows this' },
}

const HELP = `Usage: perigee gateway status [options]

Shows the gateways that you run, and how the servers behind them are.

${printSettings('Options', SETTINGS)}

Example: perigee gateway status --json`

/** Shows how the gateways are that somebody runs. */
export async function showStatus(args: readonly string[]): Promise<void> {
  const flags = readFlags(SETTINGS, args)
  if (flags['help'] === true) return console.log(HELP)
  const { answered, silent } = await askGateways()
  const hung = silent.map((pid) => `process ${pid} is a gateway of yours, and does not answer`)
  if (flags['json'] === true) {
    for (const line of hung) console.error(line)
    return console.log(JSON.stringify(answered, null, 2))
  }
  if (answered.length === 0) throw new CommandError(EXIT_CODES.unreachable.code, hung.join('\n') || NONE)
  console.log([...answered.map((one) => describeGateway(one, Date.now())), ...hung].join('\n\n'))
}

const NONE = 'no gateway of yours is running. A host starts one by its configuration, you by: perigee gateway'

export function describeGateway(
  { pid, serves, transport, started, upstreams }: GatewayState,
  now: number,
): string {
  const since = describeDuration(now - Date.parse(started))
  const title = `${oneLine(serves, 200)}, ${transport}, process ${pid}, running for ${since}`
  const rows = [HEAD, ...upstreams.map((one) => rowOf(one, now))]
  const widths = HEAD.map((_head, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [title, '', ...lines, ...remarks(upstreams)].join('\n')
}

const HEAD = ['name', 'revision', 'transport', 'state', 'tools', 'calls', 'p50', 'next try', 'last error']

/** What is longer stands whole below the table: it may be something to type. */
const LONGEST_CELL = 120

function rowOf(one: RelayedState, now: number): readonly string[] {
  const { name, revision, transport, state, offered, calls, p50, lastError, nextTry } = one
  return [
    oneLine(name),
    revision ?? '-',
    transport,
    state,
    String(offered['tools'] ?? 0),
    String(calls),
    p50 === null ? '-' : `${p50 < 10 ? p50.toFixed(1) : Math.round(p50)} ms`,
    nextTry === null ? '-' : `in ${describeDuration(nextTry - now)}`,
    lastError === null
      ? '-'
      : `${oneLine(withoutName(lastError.text, name), LONGEST_CELL)} (${describeDuration(now - lastError.time)} ago)`,
  ]
}

/** Whose it is stands first in the row. */
function withoutName(text: string, name: string): string {
  return text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text
}

/** Far more than is kept of why something failed. */
const LONGEST_REMARK = 4000

/** What somebody has to do. */
function remarks(upstreams: readonly RelayedState[]): readonly string[] {
  const all = upstreams.flatMap(({ name, lastError, leftOut, changed, pins }) => [
    ...(lastError !== null && oneLine(lastError.text, LONGEST_CELL).endsWith('…')
      ? [explain(name, lastError.text)]
      : []),
    ...leftOut.map((text) => explain(name, text)),
    ...changed.map(
      ({ tool }) =>
        `${name}: ${tool} has changed since it was approved. See and approve: perigee gateway approve ${name}/${tool} --pins ${quoted(pins ?? '')}`,
    ),
  ])
  return all.length === 0 ? [] : ['', ...all.map((text) => oneLine(text, LONGEST_REMARK))]
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

function describeDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${unit}`
}
