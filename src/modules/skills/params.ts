import { type AuthorCall as Call, describe, Fault } from '../../kernel/index.ts'

export function checkUri(call: Call): string {
  return checkString(call, 'uri')
}

export function checkCursor(call: Call): string | undefined {
  return call.params?.['cursor'] === undefined ? undefined : checkString(call, 'cursor')
}

function checkString({ params }: Call, key: string): string {
  const value = params?.[key]
  if (typeof value === 'string') return value
  throw new Fault('invalidParams', `Invalid params: ${key}: expected a string, got ${describe(value)}`)
}
