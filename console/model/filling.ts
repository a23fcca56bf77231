import type { Field, Member, TextField, UnionField } from './field.ts'
import { isRecord, memberOf } from './json.ts'

/** However many a list must have, further ones are for people to add. */
const MOST_ITEMS = 4

/** What a field holds before anybody has filled it in; undefined is nothing. */
export function initialOf(field: Field, required = true): unknown {
  if (field.default !== undefined) return field.default
  switch (field.kind) {
    case 'fixed':
      return required ? field.value : undefined
    case 'object':
      return required ? initialObject(field.members) : undefined
    case 'array':
      return field.minItems > 0
        ? Array(Math.min(field.minItems, MOST_ITEMS)).fill(initialOf(field.item))
        : undefined
    case 'union':
      return required && field.variants[0] !== undefined ? initialOf(field.variants[0].field) : undefined
    case 'boolean':
      return required ? false : undefined
    default:
      return undefined
  }
}

function initialObject(members: readonly Member[]): unknown {
  const filled = members.map(({ name, required, field }) => [name, initialOf(field, required)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

/** The variant that a value is of: the first that takes it. */
export function variantFor({ variants }: UnionField, value: unknown): number {
  const found = variants.findIndex(
    ({ field }) => value !== undefined && complaintsOf(field, value).length === 0,
  )
  if (found >= 0) return found
  return Math.max(
    0,
    variants.findIndex(({ field }) => isLike(field, value)),
  )
}

function isLike(field: Field, value: unknown): boolean {
  if (field.kind === 'object') return isRecord(value) && fixedFit(field.members, value)
  if (field.kind === 'array' || field.kind === 'choices') return Array.isArray(value)
  if (field.kind === 'fixed') return JSON.stringify(field.value) === JSON.stringify(value)
  return field.kind === 'text' ? typeof value === 'string' : field.kind === typeof value
}

function fixedFit(members: readonly Member[], value: { readonly [name: string]: unknown }): boolean {
  return members.every(({ name, field }) => field.kind !== 'fixed' || field.value === memberOf(value, name))
}

export interface Complaint {
  readonly path: string
  readonly text: string
}

/** What still has to be filled in or mended before it is worth sending. */
export function complaintsOf(field: Field, value: unknown, path = ''): readonly Complaint[] {
  const complain = (text: string) => [{ path, text }]
  switch (field.kind) {
    case 'object':
      return isRecord(value)
        ? field.members.flatMap((member) =>
            memberComplaints(member, memberOf(value, member.name), at(path, member.name)),
          )
        : complain('expected an object')
    case 'array':
      if (!Array.isArray(value)) return complain('expected a list')
      if (value.length < field.minItems) return complain(`at least ${field.minItems}`)
      return value.flatMap((item, index) => complaintsOf(field.item, item, at(path, String(index))))
    case 'union':
      return field.variants.some((one) => complaintsOf(one.field, value, path).length === 0)
        ? []
        : (complaintsOfNearest(field, value, path) ?? complain('is of no variant'))
    case 'number':
      return numberComplaint(field, value).flatMap(complain)
    case 'text':
      return textComplaint(field, value).flatMap(complain)
    case 'boolean':
      return typeof value === 'boolean' ? [] : complain('choose one')
    case 'choice':
      return field.choices.some((one) => same(one.value, value)) ? [] : complain('choose one')
    case 'choices':
      return Array.isArray(value) ? [] : complain('expected a list')
    case 'fixed':
      return same(field.value, value) ? [] : complain(`must be ${JSON.stringify(field.value)}`)
    default:
      return value === undefined ? complain('must be filled in') : []
  }
}

function complaintsOfNearest(
  field: UnionField,
  value: unknown,
  path: string,
): readonly Complaint[] | undefined {
  const near = field.variants.find((one) => isLike(one.field, value))
  return near === undefined ? undefined : complaintsOf(near.field, value, path)
}

function memberComplaints({ required, field }: Member, value: unknown, path: string): readonly Complaint[] {
  if (value === undefined) return required ? [{ path, text: 'must be filled in' }] : []
  return complaintsOf(field, value, path)
}

function numberComplaint(field: Extract<Field, { kind: 'number' }>, value: unknown): readonly string[] {
  if (typeof value !== 'number' || Number.isNaN(value)) return ['expected a number']
  if (field.integer && !Number.isInteger(value)) return ['expected a whole number']
  if (field.minimum !== undefined && value < field.minimum) return [`at least ${field.minimum}`]
  if (field.maximum !== undefined && value > field.maximum) return [`at most ${field.maximum}`]
  return []
}

function textComplaint({ minLength = 0, maxLength }: TextField, value: unknown): readonly string[] {
  if (typeof value !== 'string') return ['expected text']
  if (value.length < minLength) return [`at least ${minLength} characters`]
  return maxLength !== undefined && value.length > maxLength ? [`at most ${maxLength} characters`] : []
}

function same(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two)
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A member set or, with undefined, taken away. */
export function withMember(
  value: unknown,
  name: string,
  member: unknown,
): { readonly [name: string]: unknown } {
  const { [name]: _, ...others } = isRecord(value) ? value : {}
  if (member === undefined) return others
  return isRecord(value) && name in value ? { ...value, [name]: member } : { ...others, [name]: member }
}
