import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { type RevisionId, readRevisions } from './revisions.ts'

const SERVER_NAMES = ['sample', 'ccmcp', 'bossman', 'bb-mcp-server', 'primer'] as const

export type ServerName = (typeof SERVER_NAMES)[number]

/** A dialogue in plain text; README.md beside this file says how one is written. */
export interface Transcript {
  readonly title: string
  readonly revisions: readonly RevisionId[]
  readonly server: ServerName
  /** Whether the runner opens the conversation and introduces itself, as the revision wants it. */
  readonly open: boolean
  /** What the client says it can do. */
  readonly capabilities: JsonObject
  /** Whether a notice that no line mentions is an error. */
  readonly notices: 'expected' | 'ignored'
  readonly steps: readonly Step[]
}

export type Step = { readonly line: number; readonly revisions: readonly RevisionId[] } & Action

type Action =
  /** `> method {params}` */
  | { readonly kind: 'request'; readonly method: string; readonly params: JsonObject | undefined }
  /** `>> method {params}` */
  | { readonly kind: 'notice'; readonly method: string; readonly params: JsonObject | undefined }
  /** `> raw text` */
  | { readonly kind: 'raw'; readonly text: string }
  /** `> answer {result}` or `> answer error -1 "text"`, to the oldest question that has none. */
  | { readonly kind: 'answer'; readonly member: JsonObject }
  /** `< {result}` or `< error -32601 "text" {data}`, to the oldest request that has none, or `< #2 {result}`. */
  | { readonly kind: 'reply'; readonly to: number | undefined; readonly expected: JsonObject }
  /** `<< method {params}` */
  | { readonly kind: 'hear'; readonly expected: JsonObject }
  /** `<? method {params}` */
  | { readonly kind: 'question'; readonly expected: JsonObject }
  /** `<= {message}` or `<= [replies]`, whole, whatever it is. */
  | { readonly kind: 'message'; readonly expected: unknown }
  /** `<-`: the oldest request that has no reply never gets one. */
  | { readonly kind: 'silence' }

/** Throws an Error that names the line when the text is no transcript. */
export function parseTranscript(text: string): Transcript {
  const [first, ...rest] = joinLines(text)
  const [, title] = /^# (.+)$/.exec(first?.text ?? '') ?? []
  if (title === undefined) throw new Error('line 1: expected "# Title"')
  const lines = rest.filter((line) => line.text !== '' && !line.text.startsWith('#'))
  const end = lines.findIndex((line) => !HEADER.test(line.text))
  const header = readHeader(lines.slice(0, end < 0 ? lines.length : end))
  const steps = lines.slice(end < 0 ? lines.length : end).map((line) => readStep(line, header.revisions))
  if (steps.length === 0) throw new Error('a transcript needs at least one line of dialogue')
  return { title, ...header, steps }
}

interface Line {
  readonly number: number
  readonly text: string
}

/** A line that begins with a space goes on with the one before it. */
function joinLines(text: string): readonly Line[] {
  const lines: Line[] = []
  for (const [index, part] of text.split('\n').entries()) {
    const last = lines.at(-1)
    if (/^\s+\S/.test(part) && last !== undefined)
      lines[lines.length - 1] = { ...last, text: `${last.text} ${part.trim()}` }
    else lines.push({ number: index + 1, text: part.trimEnd() })
  }
  return lines
}

const HEADER = /^([a-z]+): (.+)$/

function readHeader(lines: readonly Line[]): Omit<Transcript, 'title' | 'steps'> {
  const fields = new Map<string, string>()
  for (const { number, text } of lines) {
    const [, key = '', value = ''] = HEADER.exec(text) ?? []
    if (!HEADER_KEYS.includes(key)) throw new Error(`line ${number}: there is no header ${key}`)
    fields.set(key, value)
  }
  const revisions = fields.get('revisions')
  if (revisions === undefined) throw new Error('expected a header "revisions:"')
  return {
    revisions: readRevisions(revisions),
    server: oneOf(fields.get('server') ?? 'sample', SERVER_NAMES),
    open: oneOf(fields.get('open') ?? 'yes', ['yes', 'no']) === 'yes',
    capabilities: readObject(fields.get('capabilities') ?? '{}'),
    notices: oneOf(fields.get('notices') ?? 'expected', ['expected', 'ignored']),
  }
}

const HEADER_KEYS = ['revisions', 'server', 'open', 'capabilities', 'notices']

function oneOf<Word extends string>(value: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === value)
  if (found === undefined) throw new Error(`expected ${words.join(' or ')}, got ${value}`)
  return found
}

/** `[..2025-06-18] < error -32602` is a line for some of the revisions only. */
const STEP = /^(?:\[([^\]]+)\] )?(<-|(?:>>|<<|<\?|<=|>|<) )(.*)$/s

function readStep({ number, text }: Line, all: readonly RevisionId[]): Step {
  const [, only, mark, rest] = STEP.exec(text) ?? []
  if (mark === undefined || rest === undefined) throw new Error(`line ${number}: cannot read ${text}`)
  try {
    const revisions = only === undefined ? all : readRevisions(only)
    return { line: number, revisions, ...READ[mark.trim()]?.(rest) } as Step // STEP lets no other mark through.
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}: ${text}`)
  }
}

const READ: { readonly [mark: string]: (rest: string) => Action } = {
  '>': readSent,
  '>>': (rest) => ({ kind: 'notice', ...readCall(rest) }),
  '<': readReply,
  '<<': (rest) => ({ kind: 'hear', expected: readExpectedCall(rest) }),
  '<?': (rest) => ({ kind: 'question', expected: { id: '<any>', ...readExpectedCall(rest) } }),
  '<=': (rest) => ({ kind: 'message', expected: JSON.parse(rest) }),
  '<-': () => ({ kind: 'silence' }),
}

function readSent(rest: string): Action {
  if (rest.startsWith('raw ')) return { kind: 'raw', text: rest.slice('raw '.length) }
  if (!rest.startsWith('answer ')) return { kind: 'request', ...readCall(rest) }
  const answer = rest.slice('answer '.length)
  return { kind: 'answer', member: readError(answer) ?? { result: readObject(answer) } }
}

function readReply(rest: string): Action {
  const [, id, body = rest] = /^#(\d+) (.*)$/s.exec(rest) ?? []
  const error = readError(body)
  return {
    kind: 'reply',
    to: id === undefined ? undefined : Number(id),
    expected: error === undefined ? { result: readObject(body) } : { error: withPart(error) },
  }
}

const ERROR = /^error (-?\d+)(?: ("(?:[^"\\]|\\.)*"))?(?: (.+))?$/s

function readError(text: string): { readonly error: JsonObject } | undefined {
  const [, code, message, data] = ERROR.exec(text) ?? []
  if (code === undefined) return undefined
  return {
    error: {
      code: Number(code),
      ...(message !== undefined && { message: JSON.parse(message) }),
      ...(data !== undefined && { data: JSON.parse(data) }),
    },
  }
}

/** The text of an expected error is a part of what comes. */
function withPart({ error }: { readonly error: JsonObject }): JsonObject {
  return 'message' in error ? { ...error, message: { '<contains>': error['message'] } } : error
}

function readCall(text: string): { readonly method: string; readonly params: JsonObject | undefined } {
  const [, method, params] = /^(\S+)(?: (.+))?$/s.exec(text) ?? []
  if (method === undefined) throw new Error('expected a method')
  return { method, params: params === undefined ? undefined : readObject(params) }
}

function readExpectedCall(text: string): JsonObject {
  const { method, params } = readCall(text)
  return { method, ...(params !== undefined && { params }) }
}

function readObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('expected a JSON object')
  return value
}
