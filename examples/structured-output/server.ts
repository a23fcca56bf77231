import { defineServer, defineTool } from 'perigee'
import { z } from 'zod'

const Forecast = z.object({
  city: z.string(),
  days: z.array(z.object({ day: z.string(), high: z.number(), low: z.number() })),
})

const forecast = defineTool({
  name: 'forecast',
  description: 'The weather of the next two days in a city',
  annotations: { readOnlyHint: true },
  input: z.object({ city: z.string() }),
  output: Forecast,
  run: ({ city }) => ({
    city,
    days: [
      { day: 'today', high: 21, low: 12 },
      { day: 'tomorrow', high: 19, low: 11 },
    ],
    station: 7, // Not in the schema: it does not leave the house.
  }),
})

export default defineServer({ name: 'weather', version: '1.0.0', tools: [forecast] })
