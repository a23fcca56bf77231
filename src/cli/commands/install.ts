import { CommandOutput } from '../client/output.ts'
import { readSeconds } from '../client/where.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { type CommandLine, readLine, splitAtDashes } from '../flags.ts'
import { apply, share } from '../install/apply.ts'
import { isConfirmed } from '../install/confirm.ts'
import { shortPath } from '../install/folders.ts'
import { INSTALL_HOSTS } from '../install/hosts.ts'
import { listHosts } from '../install/list.ts'
import { isCached } from '../install/perigee-command.ts'
import { choosePlaces } from '../install/places.ts'
import { type Plan, type Planned, planAll } from '../install/plan.ts'
import { printDiff } from '../install/report.ts'
import { readInstallable } from '../install/source.ts'
import { countTools } from '../install/verify.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'

const SETTINGS = {
  to: {
    placeholder: 'ID,…',
    description: 'these hosts, whether they are found or not; all that are found, unless said',
  },
  project: {
    kind: 'switch',
    description: 'into the files of the project in this folder, instead of those of the person',
  },
  name: { placeholder: 'NAME', description: 'what hosts call the server' },
  env: {
    kind: 'many',
    placeholder: 'NAME[=VALUE]',
    description:
      'a variable for a command; a name alone stays a variable, which the host fills in; may be repeated',
  },
  header: {
    kind: 'many',
    placeholder: '"NAME: VALUE"',
    description: 'sent to an address; ${NAME} in it stays a variable; may be repeated',
  },
  from: { kind: 'many', placeholder: 'FILE', description: 'what the gateway reads; ./.mcp.json unless said' },
  replace: { kind: 'switch', description: 'replaces an entry of that name that differs' },
  print: { kind: 'switch', description: 'shows what would be written, and writes nothing' },
  yes: { kind: 'switch', description: 'asks nothing' },
  list: { kind: 'switch', description: 'shows the hosts, their files, and what was installed into them' },
  timeout: { placeholder: 'SECONDS', description: 'how long a server may take to answer', fallback: '30' },
  json: { kind: 'switch', description: 'prints what came of it as JSON' },
  help: { kind: 'switch', description: 'this text' },
} as const satisfies SettingTable

const USAGE = `perigee install: plugs a server into the hosts on this machine, and tries it as each of them would

Usage: perigee install [SERVER]           one of ours, a file (server.ts unless said), or an address
       perigee install [SERVER] -- OPTIONS   the same with options of its own
       perigee install gateway            all servers of ./.mcp.json behind one
       perigee install --name NAME -- COMMAND …   any other server

${printSettings('Options', SETTINGS)}

Hosts: ${INSTALL_HOSTS.map(({ id }) => id).join(', ')}

Files are changed where they must be and nowhere else; perigee uninstall NAME puts them back.
It ends with 0; 1 if a file was left alone; 2 for something typed that cannot be; 3 if a server does not answer.

Example: perigee install ccmcp --to claude-code,cursor`

/** Plugs a server into hosts. */
export async function install(args: readonly string[]): Promise<void> {
  const [own, more] = splitAtDashes(args)
  const line = readLine(SETTINGS, own)
  if (line.flags['help'] === true) return console.log(USAGE)
  const output = new CommandOutput(line.flags['json'] === true, () => {})
  if (line.flags['list'] === true) return listHosts(output)
  const timeoutMs = readSeconds(String(line.flags['timeout'] ?? '30')) * 1000
  const server = await readInstallable(line, more)
  const replace = line.flags['replace'] === true
  const plans = await planAll(choosePlaces(line.flags), { server, replace })
  if (line.flags['print'] === true) return showOnly(output, plans)
  if (!output.json) for (const plan of plans) output.say(describePlan(plan))
  const writes = plans.filter((plan): plan is Planned => plan.status === 'write')
  await confirm(line, writes.length)
  const results: InstallResult[] = []
  for (const plan of plans) results.push(await carryOut(plan, { output, timeoutMs }))
  if (output.json) output.sayJson(results)
  if (isCached() && writes.length > 0)
    output.note(
      'This copy of perigee is in npm’s cache, which npm may clear: install the package, and install again from there',
    )
  finish(results)
}

async function confirm({ flags }: CommandLine, count: number): Promise<void> {
  if (count === 0 || flags['yes'] === true) return
  if (await isConfirmed(`Write ${count === 1 ? 'this file' : `these ${count} files`}?`)) return
  throw new CommandError(EXIT_CODES.failed.code, 'nothing was written')
}

interface InstallResult {
  readonly host: string
  readonly file: string
  readonly status: 'installed' | 'unchanged' | 'silent' | Exclude<Plan['status'], 'write'>
  readonly tools?: number
  readonly reason?: string
  readonly backup?: string
  readonly notes?: readonly string[]
}

interface CarryingOut {
  readonly output: CommandOutput
  readonly timeoutMs: number
}

async function carryOut(plan: Plan, { output, timeoutMs }: CarryingOut): Promise<InstallResult> {
  const { host, file } = plan
  const base = { host: host.id, file: file.path }
  if (!('after' in plan)) return { ...base, status: plan.status, reason: plan.reason }
  let backup: string | undefined
  try {
    if (plan.status === 'write') backup = await apply(plan)
    else await share(plan)
  } catch (error) {
    const reason = (error as Error).message
    if (!output.json) output.say(`${host.name} ✘ ${reason}`)
    return { ...base, status: 'unwritable', reason }
  }
  const done = {
    ...base,
    ...(backup !== undefined && { backup }),
    notes: [...plan.notes, `${host.name}: ${host.after}`],
  }
  output.showStatus(`trying it as ${host.name} would …`)
  try {
    const tools = await countTools(plan, { signal: AbortSignal.timeout(timeoutMs), timeoutMs })
    const then = plan.status === 'write' ? `\n  ${host.after}` : ''
    if (!output.json) output.say(`${host.name} ✔ ${tools === 1 ? '1 tool' : `${tools} tools`}${then}`)
    return { ...done, status: plan.status === 'write' ? 'installed' : 'unchanged', tools }
  } catch (error) {
    const reason = (error as Error).message
    if (!output.json) output.say(`${host.name} ✘ it is written, but does not answer: ${reason}`)
    return { ...done, status: 'silent', reason }
  }
}

function finish(results: readonly InstallResult[]): void {
  const silent = results.filter(({ status }) => status === 'silent').length
  if (silent > 0)
    throw new CommandError(
      EXIT_CODES.unreachable.code,
      `${count(silent)} written, but the server did not answer`,
    )
  const left = results.filter(({ reason }) => reason !== undefined).length
  if (left > 0) throw new CommandError(EXIT_CODES.failed.code, `${count(left)} left alone`)
}

const count = (files: number) => (files === 1 ? 'one file was' : `${files} files were`)

function showOnly(output: CommandOutput, plans: readonly Plan[]): void {
  if (output.json)
    return output.sayJson(
      plans.map((plan) => ({
        ...{ host: plan.host.id, file: plan.file.path, status: plan.status },
        ...('after' in plan ? { path: plan.path, entry: plan.value } : { reason: plan.reason }),
      })),
    )
  for (const plan of plans) output.say(describePlan(plan))
}

/** With an empty line behind it. */
function describePlan(plan: Plan): string {
  const title = `${plan.host.name}  ${shortPath(plan.file.path)}`
  return `${[title, ...detailsOf(plan)].join('\n')}\n\n`
}

function detailsOf(plan: Plan): readonly string[] {
  if ('after' in plan)
    return plan.status === 'unchanged'
      ? ['  has it already']
      : [printDiff(plan.before, plan.after), ...plan.notes.map((note) => `  ${note}`)]
  const shown = plan.texts === undefined ? plan.snippet : printDiff(...plan.texts)
  return [`  left alone: ${plan.reason}`, ...(shown === undefined ? [] : [shown.trimEnd()])]
}
