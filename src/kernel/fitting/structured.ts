import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'

/** Which structured content a revision can carry; the text beside it says the same to the others. */
const FITS: Record<Revision['structured'], (value: unknown) => boolean> = {
  none: () => false,
  object: isPrintedObject,
  any: () => true,
}

/** What prints itself, as a date does, is what it prints. */
function isPrintedObject(value: unknown): boolean {
  if (!isObject(value) || typeof value['toJSON'] !== 'function') return isObject(value)
  return JSON.stringify(value)?.startsWith('{') === true
}

export function fitsStructured(value: unknown, revision: Revision): boolean {
  return FITS[revision.structured](value)
}

export function fitsOutputSchema(schema: JsonObject, revision: Revision): boolean {
  return revision.structured === 'any' || schema['type'] === 'object'
}
