import type { JsonObject } from '../kernel/index.ts'
import { canonical } from './canonical.ts'

/** What a model and its host go by when they call a tool. */
const MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'execution',
] as const

/** What a tool promises: of its listing what somebody approves who approves it, without pictures and remarks. */
export function contractOf(listed: JsonObject, members: readonly string[] = MEMBERS): JsonObject {
  return Object.fromEntries(
    members.flatMap((name) => (listed[name] === undefined ? [] : [[name, listed[name]]])),
  )
}

/** What a tool may change at any time. */
const FREE = ['icons', '_meta']

/** The same with whatever else its listing says, of which nobody knows who reads it. */
export function wholeContractOf(listed: JsonObject): JsonObject {
  const said = Object.entries(listed).filter(([name, value]) => !FREE.includes(name) && value !== undefined)
  return Object.fromEntries(said)
}

/** Loaded when there is something to hash; what never does so runs without. */
const crypto = () => process.getBuiltinModule('node:crypto')

/** The same for the same promise, however its members are ordered. */
export function hashContract(contract: JsonObject): string {
  return `sha256:${crypto().createHash('sha256').update(canonical(contract)).digest('hex')}`
}
