/** A schema with members of every kind. */
export const TYPES = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    maybe: { type: ['number', 'null'] },
    level: { enum: [1, 2, 'high'] },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { $ref: '#/$defs/size' } },
    size: { $ref: '#/$defs/size' },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    nested: { type: 'object' },
    anything: {},
  },
  $defs: { size: { type: 'number' } },
  additionalProperties: false,
}
