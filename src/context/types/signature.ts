import type { JsonObject } from '../../kernel/index.ts'
import { emitType, type Style } from './emit.ts'
import { nameOf } from './words.ts'

/** A signature that is longer says less: no comments, then less of what is deep inside. */
const LONGEST = 4000

const STYLES: readonly Style[] = [
  { comments: true, depth: 12 },
  { comments: false, depth: 12 },
  { comments: false, depth: 3 },
  { comments: false, depth: 1 },
]

/** A tool, as it is listed, as a method of an interface: what it takes and what it gives. */
export function signatureOf(listed: JsonObject): string {
  const tried = STYLES.map((style) => () => print(listed, style))
  let signature = ''
  for (const attempt of tried) {
    signature = attempt()
    if (signature.length <= LONGEST) return signature
  }
  return `${nameOf(String(listed['name']))}(args: Record<string, unknown>): Promise<unknown>`
}

function print({ name, inputSchema, outputSchema }: JsonObject, style: Style): string {
  const input = emitType(inputSchema, style)
  const output = outputSchema === undefined ? 'string' : emitType(outputSchema, style)
  const args = input.startsWith('Record<string, never>')
    ? ''
    : `args${isOptional(inputSchema) ? '?' : ''}: ${input}`
  return `${nameOf(String(name))}(${args}): Promise<${output}>`
}

/** Whether a tool can be called with nothing. */
function isOptional(schema: unknown): boolean {
  const required = (schema as JsonObject | undefined)?.['required']
  const { anyOf, oneOf, allOf, $ref } = (schema ?? {}) as JsonObject
  return (
    (!Array.isArray(required) || required.length === 0) && (anyOf ?? oneOf ?? allOf ?? $ref) === undefined
  )
}
