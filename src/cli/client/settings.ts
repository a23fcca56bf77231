import { REVISIONS } from '../../kernel/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { SettingTable } from '../settings.ts'
import { printSettings } from '../usage.ts'
import type { ClientCommand } from './command.ts'
import { REACH_SETTINGS } from './reach.ts'

/** Where the server is, and how it is spoken to. */
export const SERVER_SETTINGS: SettingTable = {
  url: { placeholder: 'URL', description: 'the server is at this address' },
  ...REACH_SETTINGS,
  stderr: { kind: 'switch', description: 'shows what the command writes to stderr' },
  revision: {
    placeholder: 'ID',
    description: `speaks this revision or none: ${REVISIONS.map(({ id }) => id).join(', ')}; unless said, the newest that both know`,
  },
  timeout: {
    placeholder: 'SECONDS',
    description: 'how long nothing may be heard of a request',
    fallback: '60',
  },
  root: {
    kind: 'many',
    placeholder: 'DIR',
    description: 'a folder to name when the server asks for some; may be repeated',
  },
  log: { placeholder: 'LEVEL', description: 'shows what the server logs from this level on, on stderr' },
  json: { kind: 'switch', description: 'prints what came as JSON' },
  help: { kind: 'switch', description: 'this text' },
}

/** What `--help` prints. */
export function clientUsage({ name, summary, words, settings, example, namesServer }: ClientCommand): string {
  const call = `perigee ${name}${words === '' || namesServer ? '' : ` ${words}`}`
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`)
  return [
    `perigee ${name}: ${summary}`,
    `Usage: ${namesServer ? `${call} ${words}    a file, an address, or one of ours\n       ` : ''}${call} --url URL\n       ${call} -- COMMAND …`,
    ...(Object.keys(settings).length === 0 ? [] : [printSettings('Options', settings)]),
    printSettings('The server', SERVER_SETTINGS),
    ['It ends with:', ...codes].join('\n'),
    `Example: ${example}`,
  ].join('\n\n')
}
