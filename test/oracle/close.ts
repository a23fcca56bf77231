import { isObject } from '../../src/kernel/index.ts'

/** In these, members that are not named are meant: JSON Schemas of authors, metadata, and what others are added to. */
const OPEN = ['inputSchema', 'outputSchema', '_meta', 'data', 'allOf', 'NotificationParams']

/** The same schema with every object closed that names its members and does not say that there may be more. */
export function close(schema: unknown, name = ''): unknown {
  if (OPEN.includes(name) || name.endsWith('MetaObject')) return schema
  if (Array.isArray(schema)) return schema.map((part) => close(part))
  if (!isObject(schema)) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, close(part, key)]))
  const named = isObject(schema['properties']) && schema['type'] === 'object'
  return named && !('additionalProperties' in schema) ? { ...closed, additionalProperties: false } : closed
}
