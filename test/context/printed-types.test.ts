import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emitType } from '../../src/context/types/emit.ts'
import { signatureOf } from '../../src/context/types/signature.ts'
import { literal } from '../../src/context/types/words.ts'
import { createValidator } from '../../src/schema/index.ts'

const STYLE = { comments: true, depth: 12 }

/** What the compiler has to say of a file. */
function compile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-types-'))
  const file = join(folder, 'types.ts')
  writeFileSync(file, text)
  const tsc = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc')
  try {
    execFileSync(tsc, ['--strict', '--noEmit', '--target', 'es2022', '--types', '', '--ignoreConfig', file])
    return ''
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [true, 'unknown'],
    [false, 'never'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ type: 'string', enum: ['a', 1] }, '"a"'],
    [{ const: { a: [1] } }, '{ a: [1] }'],
    [{ type: ['integer', 'null'] }, 'number | null'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[string?]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 }, '[string, ...unknown[]]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ properties: { a: {} }, required: ['a', 'b-c'] }, '{ a: unknown; "b-c": unknown }'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'number' } } }, 'number'],
    [{ type: 'object', properties: { next: { $ref: '#' } } }, '{ next?: { next?: unknown } }'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ type: 'object', allOf: [{ required: ['a'] }] }, 'Record<string, unknown> & { a: unknown }'],
    [{ $ref: 'https://example.com/else' }, 'unknown'],
  ])('%j is %s', (schema, type) => {
    expect(emitType(schema, STYLE)).toBe(type)
  })

  it('says what a member is for, and nothing in it ends the comment', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', description: 'ends */ here\nor not' } },
    }
    expect(emitType(schema, STYLE)).toBe('{\n  /** ends *\\/ here or not */\n  a?: string\n}')
  })

  it('is no longer than a model should read', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`member_${at}`, { type: 'string' }]),
    )
    const signature = signatureOf({ name: 'wide', inputSchema: { type: 'object', properties: wide } })
    expect(signature).toBe('wide(args: Record<string, unknown>): Promise<unknown>')
  })
})

/** Schemas of which a type can say everything, so that type and validator have to agree. */
const { schema: exact } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom({ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }),
    fc
      .uniqueArray(fc.constantFrom('a', 'b*/', 1, null, true), { minLength: 1 })
      .map((values) => ({ enum: values })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: 2 })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c-d', 'e/*'), tie('schema'), { minKeys: 1 }),
        optional: fc.array(fc.constantFrom<string[]>('a', 'b', 'c-d', 'e/*')),
      })
      .map(({ properties, optional }) => ({
        type: 'object',
        properties,
        // To the compiler, what has nothing but optional members is more than an object.
        required: Object.keys(properties).filter((name, at) => at === 0 || !optional.includes(name)),
      })),
  ),
}))

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b*/', 'x', 1, 2.5, null, true, false),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c-d', 'e/*'), tie('value')),
  ),
})).value

describe('the types of schemas', { timeout: 120_000 }, () => {
  it('are TypeScript, and let through what the validator lets through', async () => {
    const validator = createValidator({})
    const samples = fc.sample(fc.tuple(exact, fc.array(values, { minLength: 4, maxLength: 8 })), {
      numRuns: 300,
      seed: 7,
    })
    const lines = ['type Fits<Type, Value> = [Value] extends [Type] ? true : false']
    let fitting = 0
    for (const [at, [schema, tried]] of samples.entries()) {
      lines.push(`type T${at} = ${emitType(schema, STYLE)}`)
      const shape = validator.shape({ type: 'object', properties: { it: schema }, required: ['it'] }, 'input')
      for (const [which, value] of tried.entries()) {
        const fits = 'value' in (await shape.read({ it: value }))
        if (fits) fitting++
        lines.push(`export const v${at}_${which}: Fits<T${at}, ${literal(value)}> = ${fits}`)
      }
    }
    expect(fitting).toBeGreaterThan(50)
    expect(compile(lines.join('\n'))).toBe('')
  })

  it('make signatures that are methods of an interface, whatever the tool is called', () => {
    const names = ['list', 'a.b-c', '1st', '*/ }', 'Ünï']
    const signatures = names.map((name) =>
      signatureOf({ name, inputSchema: { type: 'object', properties: { 'x y': { description: '*/' } } } }),
    )
    expect(compile(`export interface Tools {\n${signatures.join('\n')}\n}`)).toBe('')
  })
})
