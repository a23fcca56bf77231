import { type Agreement, isAgreement, isObject, type Json, type Principal } from '../../../kernel/index.ts'

/** Records of another version are of a server that is newer or older than this one. */
const VERSION = 1

/** All there is to know of a session, wherever it goes on. */
interface SessionRecord {
  readonly v: typeof VERSION
  readonly principal: Pick<Principal, 'id' | 'anonymous'>
  readonly agreement: Agreement
}

/** A record as it is kept; there is none to read where it is of another version. */
export interface KeptRecord {
  readonly record: SessionRecord | undefined
  readonly version: number
}

export function recordOf({ id, anonymous }: Principal, agreement: Agreement): SessionRecord {
  return { v: VERSION, principal: anonymous === true ? ANYBODY : { id }, agreement }
}

/** One for all of them. */
const ANYBODY: SessionRecord['principal'] = { id: 'anonymous', anonymous: true }

export function printRecord(record: SessionRecord): Json {
  return record as unknown as Json // Plain values, all of them.
}

/** Undefined where there is none, or none that can be read here. */
export function readRecord(value: Json | undefined): SessionRecord | undefined {
  return isObject(value) &&
    value['v'] === VERSION &&
    isPrincipal(value['principal']) &&
    isAgreement(value['agreement'])
    ? (value as unknown as SessionRecord) // As printed.
    : undefined
}

function isPrincipal(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string'
}

/** What two nodes have made of the same agreement: what one of them has changed, and the rest as the other has it. */
export function merge(base: Agreement, ours: Agreement, theirs: Agreement): Agreement {
  return {
    introduction: ours.introduction,
    operating: ours.operating || theirs.operating,
    logLevel: ours.logLevel === base.logLevel ? theirs.logLevel : ours.logLevel,
    subscriptions: mergeSets(base.subscriptions, ours.subscriptions, theirs.subscriptions),
  }
}

type Names = readonly string[] | undefined

function mergeSets(base: Names = [], ours: Names = [], theirs: Names = []): readonly string[] {
  const merged = new Set(theirs)
  for (const one of base) if (!ours.includes(one)) merged.delete(one)
  for (const one of ours) if (!base.includes(one)) merged.add(one)
  return [...merged]
}

/** Clients of one kind introduce themselves in the same words, which are then kept once. */
export class Introductions {
  readonly #known = new Map<string, Agreement['introduction']>()

  share(agreement: Agreement): Agreement {
    const text = JSON.stringify(agreement.introduction)
    const known = this.#known.get(text)
    if (known !== undefined) return { ...agreement, introduction: known }
    if (text.length <= LONGEST && this.#known.size < MOST) this.#known.set(text, agreement.introduction)
    return agreement
  }
}

const LONGEST = 2000
const MOST = 200
