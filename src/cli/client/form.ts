import type { ElicitParams, ElicitResult } from '../../client/index.ts'
import { isObject, type JsonObject, type Shape } from '../../kernel/index.ts'
import { createValidator } from '../../schema/index.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine } from './printable.ts'
import { type Choice, factsOf } from './schema-facts.ts'
import { readValue } from './values.ts'

/** Has a form filled in, field by field; Ctrl-D cancels it. */
export async function askForm(
  terminal: Terminal,
  { requestedSchema }: ElicitParams,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const schema = isObject(requestedSchema) ? requestedSchema : {}
  const fields = Object.entries(isObject(schema['properties']) ? schema['properties'] : {})
  const begin = await terminal.ask('Will you answer? (yes/no; Ctrl-D cancels) ', signal)
  if (begin === undefined) return { action: 'cancel' }
  if (!/^(y|yes)$/i.test(begin)) return { action: 'decline' }
  const content: [string, unknown][] = []
  for (const [name, field] of fields) {
    const value = await askField(terminal, describeField(name, isObject(field) ? field : {}, schema), signal)
    if (value === CANCELLED) return { action: 'cancel' }
    if (value !== undefined) content.push([name, value])
  }
  return { action: 'accept', content: Object.fromEntries(content) as NonNullable<ElicitResult['content']> } // As the schema has it.
}

const CANCELLED = Symbol('cancelled')

interface FormField {
  readonly name: string
  readonly schema: JsonObject
  readonly question: string
  readonly choices: readonly Choice[]
  readonly isList: boolean
  readonly isBoolean: boolean
  readonly isNeeded: boolean
}

function describeField(name: string, schema: JsonObject, form: JsonObject): FormField {
  const { types, choices, items } = factsOf(schema, form)
  const isList = types.has('array')
  const offered = isList ? factsOf(items, form).choices : choices
  const isNeeded = Array.isArray(form['required']) && form['required'].includes(name)
  const title = typeof schema['title'] === 'string' ? schema['title'] : name
  const explained = typeof schema['description'] === 'string' ? ` (${oneLine(schema['description'])})` : ''
  const isBoolean = types.has('boolean') && choices.length === 0
  const hint = isBoolean ? ' yes/no' : isList ? ', parted by commas' : ''
  return {
    ...{ name, schema, choices: offered, isList, isBoolean, isNeeded },
    question: `${oneLine(title, 200)}${explained}${hint}${printDefault(schema, isNeeded)}: `,
  }
}

function printDefault({ default: fallback }: JsonObject, isNeeded: boolean): string {
  if (fallback !== undefined)
    return ` [${oneLine(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))}]`
  return isNeeded ? '' : ' [leave it out]'
}

/** Asks until the answer fits; nothing typed is the default, or nothing. */
async function askField(terminal: Terminal, field: FormField, signal: AbortSignal): Promise<unknown> {
  const { schema, choices, isNeeded, question } = field
  for (const [at, { title }] of choices.entries()) terminal.tell(`  ${at + 1}. ${oneLine(title, 200)}`)
  for (;;) {
    const text = await terminal.ask(question, signal)
    if (text === undefined) return CANCELLED
    if (text === '' && schema['default'] !== undefined) return schema['default']
    if (text === '' && !isNeeded) return undefined
    try {
      const value = readField(text, field)
      const problem = await findProblem(schema, value)
      if (problem === undefined) return value
      terminal.tell(problem)
    } catch (error) {
      terminal.tell((error as Error).message)
    }
  }
}

function readField(text: string, { name, schema, choices, isList, isBoolean }: FormField): unknown {
  if (isBoolean && /^(y|yes|n|no)$/i.test(text)) return /^y/i.test(text)
  if (isList) return text.split(',').map((part) => choose(part.trim(), choices))
  if (choices.length > 0) return choose(text, choices)
  return readValue(text, { name, schema, root: schema })
}

/** A choice is named by its value, its title or its number. */
function choose(text: string, choices: readonly Choice[]): unknown {
  const found =
    choices.find(({ value, title }) => String(value) === text || title === text) ?? choices[Number(text) - 1]
  if (found !== undefined) return found.value
  if (choices.length === 0) return text
  throw new Error(
    `expected one of ${choices.map(({ title }) => oneLine(title, 100)).join(', ')}, or its number`,
  )
}

async function findProblem(schema: JsonObject, value: unknown): Promise<string | undefined> {
  const shape = shapeOf(schema)
  const reading = shape === undefined ? { value } : await shape.read(value)
  return 'problems' in reading
    ? reading.problems.map(({ message }) => oneLine(message)).join('; ')
    : undefined
}

/** What cannot be checked here is checked by whoever asked. */
function shapeOf(schema: JsonObject): Shape | undefined {
  try {
    return createValidator({ formats: 'asserted' }).shape(schema, 'input')
  } catch {
    return undefined
  }
}
