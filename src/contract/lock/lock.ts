import { isObject, type JsonObject } from '../../kernel/index.ts'
import { inOrder } from '../canonical.ts'
import { contractOf, hashContract } from '../tool-contract.ts'

export const SECTIONS = ['tools', 'prompts', 'resources', 'templates'] as const
export type Section = (typeof SECTIONS)[number]

/** What is promised of one offer, and its hash. */
export interface LockedOffer {
  readonly hash: string
  readonly contract: JsonObject
}

/** What a server promises to those who call it. */
export type Lock = { readonly [section in Section]: { readonly [name: string]: LockedOffer } } & {
  readonly hash: string
}

/** What a server lists. */
export type ListedOffers = { readonly [section in Section]: readonly JsonObject[] }

/** By what an offer is called, and which of its members are a promise. */
const PROMISES: {
  readonly [section in Section]: { readonly key: string; readonly members?: readonly string[] }
} = {
  tools: { key: 'name' },
  prompts: { key: 'name', members: ['name', 'title', 'description', 'arguments'] },
  resources: { key: 'uri', members: ['uri', 'name', 'title', 'description', 'mimeType'] },
  templates: { key: 'uriTemplate', members: ['uriTemplate', 'name', 'title', 'description', 'mimeType'] },
}

/** The format, so that a later one is told from this. */
const FORMAT = 1

export function makeLock(catalogue: ListedOffers): Lock {
  const sections = Object.fromEntries(
    SECTIONS.map((section) => [section, lockSection(section, catalogue[section])]),
  ) as Omit<Lock, 'hash'> // One for each section.
  return { hash: hashOf(sections), ...sections }
}

function lockSection(section: Section, offers: readonly JsonObject[]): Lock[Section] {
  const { key, members } = PROMISES[section]
  const locked = offers.map((offer): [string, LockedOffer] => {
    const contract = contractOf(offer, members)
    return [String(offer[key]), { hash: hashContract(contract), contract }]
  })
  return Object.fromEntries(locked.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** One hash for all: of the hashes of each. */
function hashOf(sections: Omit<Lock, 'hash'>): string {
  const hashes = SECTIONS.map((section) => [
    section,
    Object.fromEntries(Object.entries(sections[section]).map(([name, { hash }]) => [name, hash])),
  ])
  return hashContract(Object.fromEntries(hashes))
}

/** As it is written: members in order of their names, a line for each, so that a change is one in the file, too. */
export function printLock(lock: Lock): string {
  return `${JSON.stringify(inOrder({ perigee: FORMAT, ...lock }), undefined, 2)}\n`
}

/** Reads what was written, or says what is wrong with it. */
export function parseLock(text: string): Lock {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new TypeError(`it is no JSON: ${(error as Error).message}`) // JSON.parse throws SyntaxErrors.
  }
  if (!isObject(value) || !SECTIONS.every((section) => isObject(value[section])))
    throw new TypeError(`expected an object with ${SECTIONS.join(', ')}`)
  if (value['perigee'] !== FORMAT)
    throw new TypeError(
      `it has the format ${JSON.stringify(value['perigee'])}, and this version knows ${FORMAT}`,
    )
  for (const section of SECTIONS)
    for (const [name, offer] of Object.entries(value[section] as JsonObject))
      if (
        !isObject(offer) ||
        !isObject(offer['contract']) ||
        offer['hash'] !== hashContract(offer['contract'])
      )
        throw new TypeError(`${section}: ${name} has been changed by hand: its hash is another`)
  const lock = value as unknown as Lock // It has just been looked at.
  if (lock.hash !== hashOf(lock))
    throw new TypeError('it has been changed by hand: the hash of all is another')
  return lock
}
