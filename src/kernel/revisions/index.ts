import { revision as r20241105 } from './2024-11-05.ts'
import { revision as r20250326 } from './2025-03-26.ts'
import { revision as r20250618 } from './2025-06-18.ts'
import { revision as r20251125 } from './2025-11-25.ts'
import { revision as r20260728 } from './2026-07-28.ts'
import type { Fields, Kind, Revision } from './revision.ts'

/**
 * Oldest first.
 * @example const dates = REVISIONS.map(({ id }) => id)
 */
export const REVISIONS: readonly Revision[] = [r20241105, r20250326, r20250618, r20251125, r20260728]

/**
 * The oldest revision that is spoken.
 * @example console.error(OLDEST.id)
 */
export const OLDEST: Revision = r20241105

/**
 * The newest revision there is.
 * @example console.error(NEWEST.id)
 */
export const NEWEST: Revision = r20260728

const KINDS = Object.keys(r20260728.fields) as Kind[] // Object.keys does not say so itself.

const BY_ID: { readonly [id: string]: Revision | undefined } = Object.assign(
  Object.create(null), // What a client calls its revision may be a name that every object has.
  Object.fromEntries(REVISIONS.map((revision) => [revision.id, revision])),
)

const KNOWN_METHODS = new Set(REVISIONS.flatMap((revision) => revision.requests))

/**
 * The facts of a revision, by its date.
 * @example const batches = findRevision('2025-03-26')?.batches
 */
export function findRevision(id: string): Revision | undefined {
  return BY_ID[id]
}

/** Whether any revision has this method. */
export function isKnownMethod(method: string): boolean {
  return KNOWN_METHODS.has(method)
}

/** The ids of the revisions that open in this way, oldest first. */
export function versionsOpening(opening: Revision['opening']): readonly string[] {
  return REVISIONS.filter((revision) => revision.opening === opening).map((revision) => revision.id)
}

/**
 * The newest revision that opens with a handshake: what a client that asks for an unknown one is offered.
 * @example const asked = findRevision('2023-01-01') ?? NEWEST_HANDSHAKE
 */
export const NEWEST_HANDSHAKE: Revision =
  REVISIONS.findLast((one) => one.opening === 'handshake') ?? r20251125

/** The fields that some revision knows and this one does not. */
export function unknownFields(revision: Revision): Fields {
  return Object.fromEntries(
    KINDS.map((kind) => {
      const all = new Set(REVISIONS.flatMap((one) => one.fields[kind]))
      return [kind, [...all].filter((field) => !revision.fields[kind].includes(field))]
    }),
  ) as unknown as Fields // It has an entry for each kind.
}
