import { isObject, type JsonObject } from '../../kernel/index.ts'

export type FrontMatter =
  | { readonly fields: JsonObject; readonly name: string; readonly description: string }
  | { readonly problem: string }

/** The YAML at the beginning of a SKILL.md, or what is wrong with it. */
export async function parseFrontMatter(bytes: Uint8Array): Promise<FrontMatter> {
  const text = decode(bytes)
  if (text === undefined) return { problem: 'is not UTF-8 text' }
  const [, yaml] = FRONT_MATTER.exec(text) ?? []
  if (yaml === undefined) return { problem: 'has no front matter' }
  const fields = await parseYaml(yaml)
  if (fields instanceof Error) return { problem: `has front matter that is no YAML: ${firstLine(fields)}` }
  if (!isObject(fields)) return { problem: 'has front matter without fields' }
  return checkFields(fields)
}

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const LONGEST_NAME = 64

function checkFields(fields: JsonObject): FrontMatter {
  const { name, description } = fields
  if (typeof name !== 'string') return { problem: 'has no name' }
  if (name.length > LONGEST_NAME || !NAME.test(name)) {
    return { problem: 'has a name that is not 1 to 64 lower-case letters, digits and single hyphens' }
  }
  if (typeof description !== 'string' || description.trim() === '') return { problem: 'has no description' }
  return { fields, name, description }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** YAML can say what JSON cannot, such as a list that holds itself; that is an error here too. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    // What YAML only warns of is no business of the process's own output.
    const value: unknown = parse(text, { logLevel: 'error' })
    return JSON.parse(JSON.stringify(value ?? null))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? ''
}
