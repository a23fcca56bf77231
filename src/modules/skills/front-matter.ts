import type { Document } from 'yaml'
import { BUDGETS, isObject, type JsonObject } from '../../kernel/index.ts'

export type FrontMatter =
  | { readonly fields: JsonObject; readonly name: string; readonly description: string }
  | { readonly problem: string }

/** The YAML at the beginning of a SKILL.md, or what is wrong with it. */
export async function parseFrontMatter(
  bytes: Uint8Array,
  most: number = BUDGETS.maxFrontMatterBytes.limit,
): Promise<FrontMatter> {
  const text = decode(bytes)
  if (text === undefined) return { problem: 'is not UTF-8 text' }
  const [, yaml] = FRONT_MATTER.exec(text) ?? []
  if (yaml === undefined) return { problem: 'has no front matter' }
  const length = Buffer.byteLength(yaml)
  if (length > most)
    return { problem: `has front matter of ${length} bytes, more than ${most} (--max-front-matter)` }
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

/**
 * What YAML only warns of is no business of the process's own output. To compare each key with each, and to draw a
 * picture of each error, would take seconds where there are thousands: keys are looked at below, and one error is enough.
 */
const OPTIONS = { logLevel: 'error', uniqueKeys: false, prettyErrors: false } as const

/** YAML can say what JSON cannot, such as a list that holds itself; that is an error here too. */
async function parseYaml(text: string): Promise<unknown> {
  const yaml = await import('yaml')
  try {
    const document = yaml.parseDocument(text, OPTIONS)
    const [error] = document.errors
    if (error !== undefined) return new Error(`${error.message} ${printPlace(text, error.pos[0])}`)
    checkKeys(document, yaml)
    return JSON.parse(JSON.stringify(document.toJS() ?? null))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function checkKeys(document: Document, { visit, isScalar }: typeof import('yaml')): void {
  visit(document, {
    Map(_place, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (seen.has(name)) throw new Error(`the key ${JSON.stringify(name)} is there twice`)
        seen.add(name)
      }
    },
  })
}

function printPlace(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0] ?? ''
}
