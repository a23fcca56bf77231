import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

const run = ({ name }) => `hello ${name}`

/** The same tool four times: its arguments are said in JSON Schema, and with each of the libraries. */
export const schemaTools = [
  {
    name: 'json-schema',
    input: {
      type: 'object',
      properties: { name: { $ref: '#/$defs/name' } },
      required: ['name'],
      $defs: { name: { type: 'string', pattern: '^(\\w+-?)+$' } },
    },
    run,
  },
  { name: 'zod', input: z.object({ name: z.string() }), run },
  { name: 'valibot', input: toStandardJsonSchema(v.object({ name: v.string() })), run },
  { name: 'arktype', input: type({ name: 'string' }), run },
]
