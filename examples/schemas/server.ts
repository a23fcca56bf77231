import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { defineServer, defineTool } from 'perigee'
import * as v from 'valibot'
import { z } from 'zod'

interface Stay {
  nights: number
  breakfast?: boolean | undefined
}

const price = ({ nights, breakfast }: Stay) => `${nights * (breakfast ? 95 : 80)} crowns`

/** The same arguments, said in four ways; `run` is typed by each of them. */
const tools = [
  defineTool({
    name: 'json_schema',
    description: 'Price of a stay',
    input: {
      type: 'object',
      properties: { nights: { type: 'integer', minimum: 1 }, breakfast: { type: 'boolean' } },
      required: ['nights'],
    },
    run: (stay) => price(stay),
  }),
  defineTool({
    name: 'zod',
    description: 'Price of a stay',
    input: z.object({ nights: z.int().min(1), breakfast: z.boolean().optional() }),
    run: (stay) => price(stay),
  }),
  defineTool({
    name: 'valibot',
    description: 'Price of a stay',
    input: toStandardJsonSchema(
      v.object({
        nights: v.pipe(v.number(), v.integer(), v.minValue(1)),
        breakfast: v.optional(v.boolean()),
      }),
    ),
    run: (stay) => price(stay),
  }),
  defineTool({
    name: 'arktype',
    description: 'Price of a stay',
    input: type({ nights: 'number.integer >= 1', 'breakfast?': 'boolean' }),
    run: (stay) => price(stay),
  }),
]

export default defineServer({ name: 'inn', version: '1.0.0', tools })
