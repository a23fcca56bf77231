import { cut } from '../../kernel/index.ts'

/** Longer descriptions of members are cut: whoever wants to know more reads the schema. */
const LONGEST = 160

/** A name as it stands in an interface. */
export function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** A value as a type. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'unknown'
  const members = Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${literal(one)}`)
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

/** What somebody wrote, on one line, as a comment that ends where it should. */
export function comment(text: unknown, longest = LONGEST): string {
  const line = oneLine(text, longest)
  return line === '' ? '' : `/** ${line.replaceAll('*/', '*\\/')} */`
}

export function oneLine(text: unknown, longest = LONGEST): string {
  return typeof text === 'string' ? cut(text.replace(/\s+/g, ' ').trim(), longest) : ''
}
