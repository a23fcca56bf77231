import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'

/** Which structured content a revision can carry; the text beside it says the same to the others. */
const FITS: Record<Revision['structured'], (value: unknown) => boolean> = {
  none: () => false,
  object: isObject,
  any: () => true,
}

export function fitsStructured(value: unknown, revision: Revision): boolean {
  return FITS[revision.structured](value)
}

export function fitsOutputSchema(schema: JsonObject, revision: Revision): boolean {
  return revision.structured === 'any' || schema['type'] === 'object'
}
