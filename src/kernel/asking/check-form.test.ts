import { expect, it } from 'vitest'
import { checkForm } from './check-form.ts'

const form = (field: unknown) => ({ type: 'object', properties: { field } })
const foreign = { '~standard': {} }
const FLAT =
  /schema\.properties\.field: a form is flat: expected string, number, integer, boolean, or an array of choices/

it.each([
  { type: 'string' },
  { type: 'number' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'array', items: { enum: ['a'] } },
  { type: 'array', items: { anyOf: [] } },
])('takes a field that hosts can show: %j', (field) => {
  expect(() => checkForm(form(field))).not.toThrow()
})

it.each([
  [{ type: 'object', properties: {} }, FLAT],
  [{ type: 'array', items: { type: 'string' } }, FLAT],
  [{ type: 'array' }, FLAT],
  [{ enum: ['a'] }, FLAT],
  [{ type: 'string', items: { enum: [] } }, undefined],
  [null, /field: expected a JSON Schema, got null/],
  ['string', /field: expected a JSON Schema, got/],
  [undefined, /field: expected a JSON Schema, got nothing/],
  [foreign, /field: expected a JSON Schema, got a schema of a library/],
  [Object.assign(() => {}, foreign), /field: expected a JSON Schema, got a schema of a library/],
])('says what is wrong with a field: %j', (field, wrong) => {
  if (wrong === undefined) expect(() => checkForm(form(field))).not.toThrow()
  else expect(() => checkForm(form(field))).toThrow(wrong)
})

it.each([
  [foreign, /elicit: schema: expected a JSON Schema, got a schema of a library: with zod/],
  [Object.assign(() => {}, foreign), /got a schema of a library/],
  [null, /expected \{ type: 'object', properties: \{ … \} \}, got null/],
  [undefined, /got nothing/],
  [{ type: 'string', properties: {} }, /got type "string"/],
  [{ type: 'object' }, /got type "object"/],
  [{ type: 'object', properties: [] }, /got type "object"/],
])('says what is wrong with a form: %j', (schema, wrong) => {
  expect(() => checkForm(schema)).toThrow(wrong)
})
