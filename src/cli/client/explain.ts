import { ClientError, ErrorReply, type Reason } from '../../client/index.ts'
import { isObject } from '../../kernel/index.ts'
import { CommandError, EXIT_CODES } from '../exit-codes.ts'
import { UsageError } from '../usage-error.ts'
import { oneLine } from './printable.ts'
import type { Where } from './where.ts'

const CODES: { readonly [reason in Reason]: number } = {
  unreachable: EXIT_CODES.unreachable.code,
  lost: EXIT_CODES.unreachable.code,
  refused: EXIT_CODES.unreachable.code,
  nonsense: EXIT_CODES.unreachable.code,
  unsupported: EXIT_CODES.unreachable.code,
  'timed-out': EXIT_CODES.late.code,
  'too-much': EXIT_CODES.failed.code,
  closed: EXIT_CODES.failed.code,
}

/** How far it had come by then. */
export interface Come {
  readonly isConnected: boolean
  /** What was said that is no MCP. */
  readonly heard: string | undefined
}

/** What went wrong, for whoever typed the command. */
export function explain(error: unknown, { name, timeoutMs }: Where, { isConnected, heard }: Come): unknown {
  if (error instanceof UsageError || error instanceof CommandError) return error
  const server = oneLine(name, 100)
  if (error instanceof ErrorReply) return explainReply(error, server, isConnected)
  if (!(error instanceof ClientError)) return error
  const { reason, details, message } = error
  const unstarted = NOT_STARTED[String((details.cause as NodeJS.ErrnoException | undefined)?.code)]
  if (reason === 'unreachable' && unstarted !== undefined && message.includes('started'))
    return new CommandError(CODES[reason], `${server}: ${unstarted}`)
  const said = oneLine(message, 1500)
  const strange = heard === undefined ? '' : `. It said what is no MCP: ${oneLine(heard, 200)}`
  if (reason === 'timed-out')
    return new CommandError(
      CODES[reason],
      `${server} said nothing for ${timeoutMs / 1000} s; --timeout SECONDS gives it longer${strange}`,
    )
  if (details.status === 401 || details.status === 403)
    return new CommandError(CODES[reason], `${said}. Say who you are with --header "Authorization: Bearer …"`)
  return new CommandError(
    CODES[reason],
    `${ASKED.find(([method]) => said.includes(method))?.[1] ?? said}${strange}`,
  )
}

/** Why a command does not run. */
const NOT_STARTED: { readonly [code: string]: string } = {
  ENOENT: 'there is no such command, or no such folder to run it in',
  EACCES: 'the command may not be run',
}

/** What the server wanted that we do not have. */
const ASKED = [
  [
    'elicitation/create',
    'the server asks a question, and nobody sits at a terminal to answer it: run it at one',
  ],
  [
    'sampling/createMessage',
    'the server asks for a model, which perigee does not have: use it from a host that has one',
  ],
  ['roots/list', 'the server asks for folders: name them with --root DIR'],
] as const

/** Who refuses to be greeted is no server for us. */
function explainReply(reply: ErrorReply, server: string, isConnected: boolean): CommandError {
  const exit = isConnected ? EXIT_CODES.failed : EXIT_CODES.unreachable
  const { message, code, data } = reply
  return new CommandError(
    exit.code,
    `${server} answers: ${oneLine(message, 1500)} (${code})${remedyIn(data)}`,
  )
}

/** What an error says would help: a capability of ours, or pages to visit first. */
function remedyIn(data: unknown): string {
  const { requiredCapabilities, elicitations } = isObject(data) ? data : {}
  const lacks = isObject(requiredCapabilities) ? requiredCapabilities : {}
  const pages = (Array.isArray(elicitations) ? elicitations : []).flatMap((one: unknown) =>
    isObject(one) && typeof one['url'] === 'string' ? [oneLine(one['url'], 1000)] : [],
  )
  if (pages.length > 0) return `. Visit first: ${pages.slice(0, 5).join(', ')}`
  return REMEDIES.find(([capability]) => capability in lacks)?.[1] ?? ''
}

const REMEDIES = [
  ['elicitation', '. It has a question: run it at a terminal'],
  ['sampling', '. It asks for a model, which perigee does not have'],
  ['roots', '. Name folders with --root DIR'],
] as const
