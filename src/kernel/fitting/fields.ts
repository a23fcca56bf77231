import { isObject } from '../jsonrpc/message.ts'
import { unknownFields } from '../revisions/index.ts'
import type { Fields, Kind, Revision } from '../revisions/revision.ts'

const DROPPED = new Map<Revision, Fields>()

/** Leaves out the fields that a newer revision brought; keys nobody knows are not touched. */
export function fitFields<T extends object>(kind: Kind, value: T, revision: Revision): T {
  const dropped = droppedFields(kind, revision)
  return dropped.some((field) => field in value) ? omit(value, dropped) : value
}

/** The fields of a thing that is annotated, with the annotations fitted too. */
export function fitAnnotated<T extends object>(kind: Kind, value: T, revision: Revision): T {
  const fitted = fitFields(kind, value, revision)
  const { annotations } = fitted as { readonly annotations?: unknown } // Looked at in the next line.
  if (!isObject(annotations)) return fitted
  const fittedAnnotations = fitFields('annotations', annotations, revision)
  return fittedAnnotations === annotations ? fitted : { ...fitted, annotations: fittedAnnotations }
}

/** Without these keys, which are optional ones of the type. */
export function omit<T extends object>(value: T, keys: readonly string[]): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as T
}

function droppedFields(kind: Kind, revision: Revision): readonly string[] {
  const known = DROPPED.get(revision) ?? unknownFields(revision)
  DROPPED.set(revision, known)
  return known[kind]
}
