import { type Implementation, isObject, type JsonObject } from '../../kernel/index.ts'
import { hostOf } from '../hosts.ts'

/** Members by which data tells what stands beside it: a text that it does not tell, and that there is more of it. */
export const TEXT = '_text'
export const MORE = '_more'

const SAID: JsonObject = { [TEXT]: { type: 'string' }, [MORE]: { type: 'string' } }

const OPENED = new WeakMap<JsonObject, JsonObject>()

/** An output schema as it is listed to a host whose model sees data alone: these may be said, whatever else may not. */
export function openedFor(info: Implementation | undefined, schema: JsonObject): JsonObject {
  return hostOf(info)?.shows?.given === 'data' ? opened(schema) : schema
}

function opened(schema: JsonObject): JsonObject {
  const known = OPENED.get(schema)
  if (known !== undefined) return known
  const { type, properties, additionalProperties = true, unevaluatedProperties = true } = schema
  const isOpen = additionalProperties === true && unevaluatedProperties === true
  const made =
    type !== 'object' || isOpen
      ? schema
      : { ...schema, properties: { ...SAID, ...(isObject(properties) && properties) } }
  OPENED.set(schema, made)
  return made
}
