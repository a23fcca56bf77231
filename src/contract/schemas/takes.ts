import { isObject } from '../../kernel/index.ts'
import { createValidator } from '../../schema/index.ts'
import { canonical } from '../canonical.ts'
import type { ValueKind } from './shapes.ts'

/** Whether a kind of value has this one, asked of the validator itself. */
export function takes(shape: ValueKind, value: unknown, root: unknown): 'yes' | 'no' | 'perhaps' {
  if (shape.values !== undefined && !shape.values.some((one) => canonical(one) === canonical(value)))
    return 'no'
  try {
    const { $defs, definitions } = isObject(root) ? root : {}
    const schema = {
      ...shape.schema,
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
    }
    const read = createValidator({ formats: 'asserted' }).shape(schema, 'input').read(value)
    if ('problems' in read) return 'no'
    return shape.isExact ? 'yes' : 'perhaps'
  } catch {
    return 'perhaps' // It refers to what is not here.
  }
}
